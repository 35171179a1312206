import { resolve } from 'node:path';
import { tokenFingerprint } from '../client/address.js';
import { capability } from '../families/registry.js';
import { putInPlace } from '../report/put-in-place.js';
import { backupJournal, type Journal } from '../send/journal.js';
import { copyJournal } from '../send/journal-copy.js';
import { purgeable, purgeRuns } from '../send/journal-purge.js';
import { emitRecords } from '../send/journal-records.js';
import type { Journals } from '../send/journals.js';
import { abandonRun, discardDraft, findRun, outcomeCounts } from '../send/runs.js';
import { type Issue, stop } from '../toolkit/core/issue.js';
import { dateInBogota, isPlainDate } from '../toolkit/core/plain-date.js';
import type { Message } from '../toolkit/messages/texts.js';
import { badOption } from './bad-option.js';
import type { Context, UseCase } from './context.js';
import { emitMessage, issueEmitter } from './events.js';
import { writeLines } from './files.js';
import { familiesOf } from './job.js';
import {
  adoptable,
  claimToken,
  findOwnJournal,
  journalPath as findPath,
  journalsOf,
  settleCommand,
  withJournal,
  withSender,
} from './journal-access.js';
import {
  companyOf,
  companyText,
  type DecisionOptions,
  type OutputOptions,
  type ServiceOptions,
} from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { confirmed, redact, secretNames } from './secrets.js';
import { serviceAddress } from './service.js';
import { exportTrail, type KeyOptions } from './trail.js';

export interface JournalOptions extends ServiceOptions, DecisionOptions, OutputOptions, KeyOptions {
  readonly before?: string;
  readonly all?: boolean;
  readonly reason?: string;
}

/**
 * `cargue journal abandon RUN`: gives up unsent documents, so that a corrected file can be sent. With a reason,
 * unknown ones are no longer asked about. A held run is deleted.
 */
export const journalAbandon: UseCase<JournalOptions> = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { state } = await findRun(journal, id);
    const { unsent, pending, unknown } = await outcomeCounts(journal, id);
    const left = pending + unknown;
    const params = { run: id, count: unsent };
    const { reason } = options;
    const isHeld = state === 'held' || state === 'draft';
    const question: Message =
      reason !== undefined && left > 0 && !isHeld
        ? { key: 'askAbandonOpen', params: { ...params, open: left } }
        : { key: 'askAbandon', params };
    const hasEffect = unsent > 0 || isHeld || (reason !== undefined && left > 0);
    if (hasEffect && !(await confirmed(context, options, question))) return 'fine';
    if (isHeld) await discardDraft(journal, id);
    else if (hasEffect) await abandonRun(journal, id, context.now().getTime(), reason);
    context.tell({ event: 'abandon', run: id, documents: unsent, open: isHeld ? 0 : left });
    if (isHeld) {
      emitMessage(context, 'heldDropped', params);
      return 'fine';
    }
    if (unsent > 0 || !hasEffect) emitMessage(context, hasEffect ? 'abandoned' : 'nothingToAbandon', params);
    if (left === 0) return 'fine';
    if (reason === undefined)
      emitMessage(context, 'stillOpen', { count: left, command: { next: `resume ${id}` } });
    else emitMessage(context, 'openAbandoned', { count: left, command: await settleCommand(journal, id) });
    return 'unfinished';
  });

/**
 * `cargue journal adopt`: takes the file at the journal's path as this company's, with its token. Documents it may
 * lack become unknown.
 */
export const journalAdopt: UseCase<JournalOptions> = async (context, _args, options) => {
  const { token } = context;
  const url = serviceAddress(context, options);
  const path = await adoptable(context, options);
  const params = { path, company: companyText(options) };
  if (!(await confirmed(context, options, { key: 'askAdopt', params }))) return 'fine';
  return withSender(context, options, { adopt: path }, async (journal) => {
    if (token !== undefined)
      await claimToken(context, options, journal, tokenFingerprint(url.href, token), true);
    context.tell({ event: 'adopt', company: companyOf(options), path });
    emitMessage(context, 'adopted', params);
    return 'fine';
  });
};

/** `cargue journal backup FILE`: writes a snapshot with mode 0600; never replaces a file. */
export const journalBackup: UseCase<JournalOptions> = (context, [target = ''], options) =>
  withJournal(context, options, async (journal) => {
    if (context.journal !== undefined)
      stop('usage', { code: 'journal/backup-elsewhere', params: { path: journal.path } });
    refuseOutput(context, options, { purpose: 'backup', output: target });
    const file = await putInPlace(
      target,
      async (temporary) => backupJournal(journal, temporary),
      outputOf(context, options, 'backup'),
    );
    context.tell({ event: 'backup', file });
    emitMessage(context, 'backedUp', { file });
    return 'fine';
  });

/** True if the user names a database rather than a folder. */
const isDatabase = (place: string): boolean => /^postgres(ql)?:/.test(place);

const journalsAt = (context: Context, place: string): Promise<Journals> =>
  isDatabase(place) ? journalsOf({ ...context, journal: place }) : journalsOf({ workspace: resolve(place) });

/** Returns the place without its password. */
const shownPlace = async (place: string): Promise<string> =>
  isDatabase(place) ? (await import('../send/postgres.js')).postgresAddress(place).shown : place;

/** `cargue journal copy FROM TO`: moves journals to another engine; from then on only that one sends. */
export const journalCopy: UseCase<JournalOptions> = async (context, [from = '', to = ''], options) => {
  const [source, target] = [await journalsAt(context, from), await journalsAt(context, to)];
  const all = options.all ? await source.all() : [await findOwnJournal(context, options, source)];
  if (all.length === 0) stop('usage', { code: 'journal/missing', params: { path: await shownPlace(from) } });
  const params = { count: all.length, to: await shownPlace(to) };
  if (!(await confirmed(context, options, { key: 'askCopy', params }))) return 'fine';
  for (const found of all) {
    const { path, rows } = await copyJournal(source, found, target);
    const details = { company: found.owner.company, to: path, rows };
    context.tell({ event: 'copy', from: found.path, ...details });
    emitMessage(context, 'copied', details);
  }
  return 'fine';
};

/** `cargue journal migrate`: creates or upgrades the journal tables of a database. */
export const journalMigrate: UseCase<JournalOptions> = async (context) => {
  if (context.journal === undefined) return stop('usage', { code: 'journal/no-database' });
  const { DATABASE_VERSION, migrateDatabase, postgresAddress } = await import('../send/postgres.js');
  const address = postgresAddress(context.journal);
  const from = await migrateDatabase(address);
  const details = { path: address.shown, from, to: DATABASE_VERSION };
  context.tell({ event: 'migrate', ...details });
  emitMessage(context, from === DATABASE_VERSION ? 'upToDate' : 'migrated', details);
  return 'fine';
};

/** Writes journal records, one line each, waiting for the disk; returns their number. */
async function writeRecords(
  journal: Journal,
  temporary: string,
  onDamage: (part: string) => void,
): Promise<number> {
  const isSecret = secretNames();
  let lines = 0;
  await writeLines(temporary, (write) =>
    emitRecords(
      journal,
      (record) => {
        lines += 1;
        return write(JSON.stringify(redact(record, isSecret)));
      },
      onDamage,
    ),
  );
  return lines;
}

const incomplete = (part: string): Issue => ({
  code: 'journal/export-incomplete',
  level: 'error',
  params: { part },
  place: {},
});

/** `cargue journal export [RUN]`: writes all journal records with mode 0600, or the audit trail of a run. */
export const journalExport: UseCase<JournalOptions> = (context, [run], options) =>
  withJournal(context, options, async (journal) => {
    if (run !== undefined) return exportTrail(context, journal, run, options);
    const output =
      options.output ?? `diario-${companyOf(options)}-${dateInBogota(context.now().getTime())}.jsonl`;
    refuseOutput(context, options, { purpose: 'export', output });
    const teller = issueEmitter(context);
    let count = 0;
    const file = await putInPlace(
      output,
      async (temporary) => {
        count = await writeRecords(journal, temporary, (part) => teller.emit(incomplete(part)));
      },
      outputOf(context, options, 'export'),
    );
    context.tell({ event: 'export', file, lines: count });
    emitMessage(context, 'exported', { file, count });
    return teller.errors > 0 ? 'data-errors' : 'fine';
  });

/**
 * `cargue journal path`: emits the path of the company's journal; without an address, of all or the company's
 * journals.
 */
export const journalPath: UseCase<JournalOptions> = async (context, _args, options) => {
  const journals = await journalsOf(context);
  const known = (options.url ?? context.url) === undefined ? await journals.all() : [];
  const ofCompany = known.filter(
    ({ names }) => options.company === undefined || names.includes(options.company),
  );
  const paths = ofCompany.length > 0 ? ofCompany.map(({ path }) => path) : [await findPath(context, options)];
  for (const path of paths) {
    for (const issue of journals.risks(path)) context.tell({ event: 'remark', issue });
    context.tell({ event: 'text', text: path });
  }
  return 'fine';
};

/** `cargue journal purge --before DATE`: removes personal data as the law asks; the proof of what was sent stays. */
export const journalPurge: UseCase<JournalOptions> = (context, _args, options) => {
  const { before = '' } = options;
  if (!isPlainDate(before)) badOption('--before', before, 'YYYY-MM-DD');
  return withSender(context, options, false, async (journal) => {
    const { runs, documents, unfinished } = await purgeable(journal, Date.parse(`${before}T00:00:00-05:00`));
    const params = {
      date: before,
      runs: runs.length,
      count: documents,
    };
    if (runs.length > 0 && !(await confirmed(context, options, { key: 'askPurge', params }))) return 'fine';
    const kinds = familiesOf(context).map(async (family) => ({
      ...(await capability(family, 'delivery')),
      schemas: family.documents.schemas,
    }));
    await purgeRuns(journal, runs, await Promise.all(kinds), context.now().getTime());
    const isGone = (await journal.forget?.()) ?? true;
    context.tell({ event: 'purge', before, runs, documents, unfinished });
    emitMessage(context, runs.length === 0 ? 'nothingToPurge' : 'purged', params);
    if (!isGone) emitMessage(context, 'purgedAndRead');
    if (unfinished.length === 0) return isGone ? 'fine' : 'unfinished';
    emitMessage(context, 'notPurged', { list: unfinished.join(', ') });
    return 'unfinished';
  });
};
