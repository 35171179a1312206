import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createIssuePrinter } from '../cli/issue-printer.js';
import type { OptionSpec, Options } from '../cli/options.js';
import { formatCount, say } from '../cli/texts.js';
import { canonicalAddress, tokenFingerprint } from '../client/address.js';
import { formatPlace, type Issue, PipelineError, stop } from '../core/issue.js';
import { word } from '../messages/wording.js';
import { ruleEntry } from '../schema/rule-data.js';
import { lockSender } from '../send/errand.js';
import {
  closeInOrder,
  closeToOthers,
  findJournal,
  folderRisks,
  type Journal,
  knowsLess,
  type OpenOptions,
  openJournal,
  othersOfToken,
  readJournal,
  requireJournal,
  unclaimedJournal,
  type Whose,
} from '../send/journal.js';
import { canonicalCompany, NO_NAME, type Owner, readProof, writeProof } from '../send/journal-proof.js';
import { listRuns } from '../send/runs.js';
import { bogotaTime } from '../send/traffic.js';
import type { Context } from './context.js';
import type { Job } from './job.js';
import { maskFor, shownPerson } from './report.js';
import { serviceAddress } from './service.js';

export const companyOf = (options: Options): string => options.company ?? NO_NAME;

const whoseOf = (context: Context, options: Options, nit?: string): Whose => {
  const url = serviceAddress(context, options).href;
  return {
    workspace: context.workspace,
    url,
    company: companyOf(options),
    token: context.token === undefined ? undefined : tokenFingerprint(url, context.token),
    nit,
  };
};

const ownerOf = ({ url, company }: Whose): Owner => ({
  address: canonicalAddress(url),
  company: canonicalCompany(company),
});

/** Where the journal of this call is, whether it exists or not. */
export const journalFile = (context: Context, options: Options): string =>
  findJournal(whoseOf(context, options));

/**
 * From here on the journal knows the token of its company.
 * @throws PipelineError('usage', journal/of-another-company) where another one does
 */
export function claimToken(
  context: Context,
  options: Options,
  journal: Journal,
  token: string | undefined,
  fromOthers = false,
): void {
  const whose = { ...whoseOf(context, options), token };
  for (const other of othersOfToken(whose, journal.path)) {
    const proof = readProof(other)!;
    if (!fromOthers)
      stop('usage', {
        code: 'journal/of-another-company',
        params: { company: whose.company, other: proof.names.join(', '), path: other },
      });
    writeProof(other, { ...proof, at: Date.now(), tokens: proof.tokens.filter((one) => one !== token) });
  }
  journal.proof?.claim(ownerOf(whose), token);
}

/** What `journal adopt` takes: what has the company's name, else what has none, else what lies where it would lie. */
export function adoptable(context: Context, options: Options): string {
  const whose = { ...whoseOf(context, options), token: undefined };
  return unclaimedJournal(whose) ?? findJournal(whose);
}

/** Every journal of the workspace, with what lies beside it. */
export function journalFiles({ workspace }: Context): readonly string[] {
  const below = (folder: string): string[] => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  };
  return below(workspace)
    .flatMap(below)
    .flatMap(below)
    .filter((file) => /[\\/]journal\.(db[^\\/]*|proof)$/.test(file));
}

/** Says what speaks against the folder. */
function warn({ terminal }: Context, { json }: Options, issues: readonly Issue[]): void {
  const printer = createIssuePrinter(terminal, { json: json === true, mask: (issue) => issue });
  for (const issue of issues) printer.print(issue);
}

const warning = (code: string, params: Issue['params']): Issue => ({
  code,
  level: 'warning',
  params,
  place: {},
});

/** What speaks against the folder of the journal, said before anything is entrusted to it. */
export const warnOfFolder = (context: Context, options: Options, path: string): void =>
  warn(context, options, folderRisks(dirname(path)));

/** Lends an existing journal for reading; a sender may be at work meanwhile. */
export async function withJournal<T>(
  context: Context,
  options: Options,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  const path = journalFile(context, options);
  warn(context, options, closeToOthers(dirname(path)));
  const proof = readProof(path);
  const journal = readJournal(path);
  try {
    const missing = knowsLess(journal, proof);
    if (missing !== undefined) warn(context, options, [warning('journal/behind', { path, missing })]);
    return await use(journal);
  } finally {
    journal.close();
  }
}

/** The right to send; where another process has it, the run that it is sending is named. */
function lockOrTell(path: string): ReturnType<typeof lockSender> {
  try {
    return lockSender(path);
  } catch (error) {
    const run = error instanceof PipelineError && error.key === 'busy' ? openRunIn(path) : undefined;
    if (run === undefined) throw error;
    return stop('busy', { code: 'send/in-progress', params: { run } }, error);
  }
}

function openRunIn(path: string): string | undefined {
  const journal = readJournal(path);
  try {
    return listRuns(journal).find(({ state }) => state === 'open')?.id;
  } finally {
    journal.close();
  }
}

/** Where a sender works: a journal without a name is taken for this company's only by a person's word. */
async function pathToSend(
  context: Context,
  options: Options,
  whose: Whose,
  create: boolean,
): Promise<string> {
  const unclaimed = create ? unclaimedJournal(whose) : undefined;
  if (unclaimed === undefined) return findJournal(whose);
  const { terminal, language, ask } = context;
  const params = { path: unclaimed, company: companyOf(options) };
  if (!terminal.interactive) return stop('usage', { code: 'journal/whose', params });
  return (await ask.yes(say(language, 'askWhose', params))) ? unclaimed : findJournal(whose);
}

/** What of the way a journal is lent for writing differs. */
export interface Lending extends Pick<OpenOptions, 'create'> {
  /** Path of what a person takes for the journal. */
  readonly adopt?: string;
  /** The company's NIT, as the run's parameters say it. */
  readonly nit?: string | undefined;
}

/**
 * Lends the journal with the right to send, made when it is missing and `create` says so. What a restored one doubts is said.
 * @throws PipelineError('busy') when another process is sending
 */
export async function withSender<T>(
  context: Context,
  options: Options,
  lending: boolean | Lending,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  const {
    create = false,
    adopt,
    nit,
  }: Lending = typeof lending === 'boolean' ? { create: lending } : lending;
  const whose = whoseOf(context, options, nit);
  const path = adopt ?? (await pathToSend(context, options, whose, create));
  if (!create && readProof(path) === undefined) requireJournal(path);
  warnOfFolder(context, options, path);
  const lock = lockOrTell(path);
  try {
    warn(context, options, closeToOthers(dirname(path)));
    const journal = openJournal(path, { create, adopt: adopt !== undefined, owner: ownerOf(whose) });
    try {
      if (nit !== undefined) journal.proof?.claim({ ...ownerOf(whose), company: canonicalCompany(nit) });
      tellRestored(context, options, journal);
      return await use(journal);
    } finally {
      closeInOrder(journal);
    }
  } finally {
    lock.release();
  }
}

/** Once: from here on the documents themselves say that they are unconfirmed. */
function tellRestored(context: Context, options: Options, { path, restored }: Journal): void {
  if (restored === undefined) return;
  const { documents, runs, until } = restored;
  const when = until === 0 ? '—' : bogotaTime(until);
  const list = runs.length === 0 ? '—' : runs.join(', ');
  warn(context, options, [warning('journal/restored', { path, until: when, documents, runs: list })]);
}

/** What a person says of a run that lies in the journal. */
export interface RunOptionValues {
  readonly hold?: boolean;
  readonly settle?: readonly string[];
  readonly before?: string;
  /** Never set: other meanings of `--as` and `--reason`, which are filed under `as` and `reason`. */
  readonly asPerson?: undefined;
  readonly whyAbandon?: undefined;
}

export const RUN_OPTIONS: Readonly<Record<keyof RunOptionValues, OptionSpec>> = {
  hold: {
    flags: '--hold',
    about: {
      es: 'deja todo listo y no envía: sigue con approve EJECUCIÓN y send EJECUCIÓN',
      en: 'lay all out and do not send: goes on by approve RUN and send RUN',
    },
  },
  settle: {
    flags: '--settle <NUMBER=WORD>',
    about: {
      es: 'lo que usted averiguó de un documento sin confirmar: NÚMERO=accepted:CUNE (o CUDE, CUV), NÚMERO=none si no está, o en RIPS el id de lo que se hizo; se puede repetir',
      en: 'what you found out about an unconfirmed document: NUMBER=accepted:CUNE (or CUDE, CUV), NUMBER=none if it is not there, or in RIPS the id of what was made; may be repeated',
    },
    repeat: true,
  },
  before: {
    flags: '--before <DATE>',
    about: {
      es: 'solo ejecuciones terminadas antes de este día, AAAA-MM-DD',
      en: 'only runs that ended before this day, YYYY-MM-DD',
    },
  },
  asPerson: {
    flags: '--as <NAME>',
    about: {
      es: 'quién lo dice; queda en el diario (por defecto se pregunta, o la cuenta de este equipo)',
      en: 'who says so; kept in the journal (default: asked, or the account on this machine)',
    },
  },
  whyAbandon: {
    flags: '--reason <TEXT>',
    about: {
      es: 'por qué; entonces tampoco se pregunta más por lo que quedó sin confirmar, que no estorba a otro envío',
      en: 'why; then nothing is asked any more about what is unconfirmed either, and it stands in no one’s way',
    },
  },
};

/** Says what is found when documents are held against the journal. */
export interface JournalRemarks {
  take(issue: Issue): void;
  finish(): void;
  readonly errors: number;
  readonly warnings: number;
}

/** Comparisons with the month before, of which people see a line a group: in a big company there are many. */
const GROUPED: ReadonlySet<string> = new Set([
  'payroll/new-worker',
  'payroll/missing-worker',
  'payroll/salary-changed',
  'payroll/account-changed',
]);

/** How many places of a group are named. */
const NAMED = 3;

interface Group {
  readonly sample: Issue;
  readonly places: string[];
  count: number;
}

export function createJournalRemarks(
  { terminal, language }: Context,
  { mapping }: Pick<Job, 'mapping'>,
  options: Options,
): JournalRemarks {
  const schemas = mapping.targets.map(({ schema }) => schema);
  const mask = maskFor(options, schemas);
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask, extra: ruleEntry });
  const groups = new Map<string, Group>();

  const placeOf = ({ place, documentKey = '' }: Issue): string =>
    place.row === undefined ? shownPerson(options)(documentKey) : formatPlace(place);

  function group(issue: Issue): void {
    const found = groups.get(issue.code) ?? { sample: issue, places: [], count: 0 };
    groups.set(issue.code, found);
    found.count += 1;
    if (found.count <= NAMED) found.places.push(placeOf(issue));
  }

  let grouped = 0;
  return {
    get errors() {
      return printer.errors;
    },
    get warnings() {
      return printer.warnings + grouped;
    },
    take(issue) {
      if (options.json || !GROUPED.has(issue.code)) return printer.print(issue);
      grouped += 1;
      group(issue);
    },
    finish() {
      printer.finish();
      for (const { sample, places, count } of groups.values()) {
        const line = say(language, 'monthGroup', {
          title: word(sample, language).title,
          month: String(sample.params['month'] ?? ''),
          count: formatCount(count, language),
          where: places.join(', ') + (count > NAMED ? ' …' : ''),
        });
        terminal.say(`${terminal.paint('yellow', `! ${say(language, 'warning')}: `)}${line}`);
      }
    },
  };
}
