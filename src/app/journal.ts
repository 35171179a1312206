import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createIssuePrinter } from '../cli/issue-printer.js';
import { tokenFingerprint } from '../client/address.js';
import { type Issue, stop } from '../core/issue.js';
import { isPlainDate } from '../core/plain-date.js';
import { formatCount, say } from '../messages/texts.js';
import { putInPlace } from '../report/put-in-place.js';
import { backupJournal, type Journal } from '../send/journal.js';
import { purgeable, purgeRuns } from '../send/journal-purge.js';
import { journalRecords } from '../send/journal-records.js';
import { abandonRun, discardDraft, findRun, outcomeCounts } from '../send/runs.js';
import { bogotaDate } from '../send/traffic.js';
import { EXIT, type UseCase } from './context.js';
import {
  adoptable,
  claimToken,
  journalFile,
  warnOfFolder,
  withJournal,
  withSender,
} from './journal-access.js';
import { outputOf, refuseOutput } from './outputs.js';
import { redact, secretNames } from './secrets.js';
import { companyOf, serviceAddress } from './service.js';
import { confirmed } from './values.js';

/**
 * `cargue journal abandon RUN`: without it the rest of a wrong file keeps its corrected one from being sent. With a reason
 * nobody asks any more about what is unconfirmed. Of a held run nothing stays.
 */
export const journalAbandon: UseCase = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    const { state } = findRun(journal, id);
    const { unsent, pending, unknown } = outcomeCounts(journal, id);
    const params = { run: id, count: formatCount(unsent, language) };
    const left = pending + unknown;
    const open = formatCount(left, language);
    const { reason } = options;
    const isHeld = state === 'held' || state === 'draft';
    const question = reason !== undefined && left > 0 && !isHeld ? 'askAbandonOpen' : 'askAbandon';
    const something = unsent > 0 || isHeld || (reason !== undefined && left > 0);
    if (something && !(await confirmed(context, options, say(language, question, { ...params, open }))))
      return EXIT.fine;
    if (isHeld) discardDraft(journal, id);
    else if (something) abandonRun(journal, id, now().getTime(), reason);
    if (options.json)
      terminal.out(JSON.stringify({ event: 'abandon', run: id, documents: unsent, open: isHeld ? 0 : left }));
    if (isHeld) {
      terminal.say(say(language, 'heldDropped', params));
      return EXIT.fine;
    }
    terminal.say(say(language, something ? 'abandoned' : 'nothingToAbandon', params));
    if (left === 0) return EXIT.fine;
    terminal.say(
      say(language, reason === undefined ? 'stillOpen' : 'openAbandoned', { run: id, count: open }),
    );
    return EXIT.unfinished;
  });

/**
 * `cargue journal adopt`: a person's word that the file in the place of the journal is this company's, and that the token is,
 * too. What it may not know it doubts.
 */
export const journalAdopt: UseCase = async (context, _args, options) => {
  const { terminal, language, token } = context;
  const url = serviceAddress(context, options);
  const path = adoptable(context, options);
  const params = { path, company: companyOf(options) };
  if (!(await confirmed(context, options, say(language, 'askAdopt', params)))) return EXIT.fine;
  return withSender(context, options, { adopt: path }, async (journal) => {
    if (token !== undefined) claimToken(context, options, journal, tokenFingerprint(url.href, token), true);
    if (options.json) terminal.out(JSON.stringify({ event: 'adopt', company: params.company, path }));
    terminal.say(say(language, 'adopted', params));
    return EXIT.fine;
  });
};

/** `cargue journal backup FILE`: a copy of one moment, private (0600), in the place of no other file. */
export const journalBackup: UseCase = (context, [target = ''], options) =>
  withJournal(context, options, async (journal) => {
    const { terminal, language } = context;
    refuseOutput(context, options, { purpose: 'backup', output: target });
    const file = await putInPlace(
      target,
      async (temporary) => backupJournal(journal, temporary),
      outputOf(context, options, 'backup'),
    );
    if (options.json) terminal.out(JSON.stringify({ event: 'backup', file }));
    terminal.say(say(language, 'backedUp', { file }));
    return EXIT.fine;
  });

/** Writes line by line, as fast as the disk takes it; returns how many. */
async function writeRecords(
  journal: Journal,
  temporary: string,
  onDamage: (part: string) => void,
): Promise<number> {
  const isSecret = secretNames();
  const file = createWriteStream(temporary);
  const closed = finished(file);
  closed.catch(() => undefined); // looked at below, when all is written
  let lines = 0;
  try {
    for (const record of journalRecords(journal, onDamage)) {
      file.write(`${JSON.stringify(redact(record, isSecret))}\n`);
      lines += 1;
      if (file.errored) throw file.errored;
      if (file.writableNeedDrain) await once(file, 'drain');
    }
  } finally {
    file.end();
    await closed;
  }
  return lines;
}

const incomplete = (part: string): Issue => ({
  code: 'journal/export-incomplete',
  level: 'error',
  params: { part },
  place: {},
});

/** `cargue journal export`: a private file (0600) with all that the journal knows. */
export const journalExport: UseCase = (context, _args, options) =>
  withJournal(context, options, async (journal) => {
    const { terminal, language, now } = context;
    const output = options.output ?? `diario-${companyOf(options)}-${bogotaDate(now().getTime())}.jsonl`;
    refuseOutput(context, options, { purpose: 'export', output });
    const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
    let count = 0;
    const file = await putInPlace(
      output,
      async (temporary) => {
        count = await writeRecords(journal, temporary, (part) => printer.print(incomplete(part)));
      },
      outputOf(context, options, 'export'),
    );
    if (options.json) terminal.out(JSON.stringify({ event: 'export', file, lines: count }));
    terminal.say(say(language, 'exported', { file, count: formatCount(count, language) }));
    return printer.errors > 0 ? EXIT.dataErrors : EXIT.fine;
  });

/** `cargue journal path`: for back-ups, and for the curious. */
export const journalPath: UseCase = async (context, _args, options) => {
  const path = journalFile(context, options);
  warnOfFolder(context, { ...options, json: false }, path);
  context.terminal.out(path);
  return EXIT.fine;
};

/** Midnight of a day where the tax authority lives. */
const startOf = (date: string): number => Date.parse(`${date}T00:00:00-05:00`);

/** `cargue journal purge --before DATE`: what the law on personal data asks for; the proof of what was sent stays. */
export const journalPurge: UseCase = (context, _args, options) => {
  const { before = '' } = options;
  if (!isPlainDate(before))
    stop('usage', {
      code: 'run/bad-option',
      value: before,
      params: { option: '--before', expected: 'AAAA-MM-DD' },
    });
  return withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    const { runs, documents, unfinished } = purgeable(journal, startOf(before));
    const params = {
      date: before,
      runs: formatCount(runs.length, language),
      count: formatCount(documents, language),
    };
    if (runs.length > 0 && !(await confirmed(context, options, say(language, 'askPurge', params))))
      return EXIT.fine;
    purgeRuns(journal, runs, now().getTime());
    if (options.json) terminal.out(JSON.stringify({ event: 'purge', before, runs, documents, unfinished }));
    terminal.say(say(language, runs.length === 0 ? 'nothingToPurge' : 'purged', params));
    if (unfinished.length === 0) return EXIT.fine;
    terminal.say(say(language, 'notPurged', { list: unfinished.join(', ') }));
    return EXIT.unfinished;
  });
};
