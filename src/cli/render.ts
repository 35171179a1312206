import type { Ask, AskedValue } from '../app/context.js';
import type { AppEvent, Destination, ShownOrigin } from '../app/events.js';
import { lawMade } from '../app/law-state.js';
import { type Mask, NO_MASK } from '../app/mask.js';
import { objectsOf } from '../app/objects.js';
import type { ApprovalDetails } from '../families/family.js';
import type { Text } from '../generated/issue-codes.js';
import { PARAM_HINTS } from '../generated/texts-issue.js';
import type { Totals } from '../send/kind.js';
import { fillBlanks } from '../toolkit/core/blanks.js';
import { formatPlace, type Issue, type Language, paramOf } from '../toolkit/core/issue.js';
import type { JsonValue } from '../toolkit/core/json.js';
import { fold } from '../toolkit/core/text.js';
import { yaml } from '../toolkit/core/yaml.js';
import {
  type Answer,
  answersLike,
  BACK,
  defaultAnswer,
  isConflicting,
  isNumbered,
  type Question,
  readReply,
  takenLast,
} from '../toolkit/inspect/question.js';
import { choicesInWords } from '../toolkit/mapping/params.js';
import {
  amountInWords,
  formatCount,
  formatMoney,
  formatMonth,
  type Message,
  type Phrase,
  type PhraseWithParams,
  type PlainPhrase,
  translate,
  wordingFor,
} from '../toolkit/messages/texts.js';
import {
  hasTrait,
  listTitle,
  ruleFamily,
  typeInWords,
  valueInWords,
  word,
} from '../toolkit/messages/wording.js';
import { publishedTable } from '../toolkit/schema/catalogue.js';
import { AUTHORITY, ruleEntry } from '../toolkit/schema/rule-data.js';
import { printAccounts } from './accounts.js';
import { printChange, printChangesHead } from './changes.js';
import {
  allAnswerLines,
  inspectText,
  printNext,
  promptText,
  questionLines,
  showInspection,
} from './inspection.js';
import { createIssuePrinter, type IssuePrinter, issueLine, printIssue } from './issue-printer.js';
import { printOverview } from './overview.js';
import { createProgress, type Progress, type Terminal } from './terminal.js';

interface RenderOptions {
  /** True to print objects for programs on stdout. */
  readonly json: boolean;
  readonly mask: Mask;
  /** Formats a command to paste into a shell: `resume 2026-10-03-1`. */
  readonly command: (next: string, local: boolean) => string;
}

/** Creates the event listener that prints for users on stderr and for programs on stdout. */
export function createRenderer(terminal: Terminal, options: RenderOptions): (event: AppEvent) => void {
  const people = peopleRenderer(terminal, options);
  if (!options.json) return people;
  return (event) => {
    const objects = objectsOf(event, terminal.language, options.mask);
    // The reason of an early end is also printed for users, who do not read the objects.
    if (objects === undefined || event.event === 'stopped') people(event);
    for (const object of objects ?? []) terminal.out(JSON.stringify(object));
  };
}

/** Max differences from the month before that are printed one by one. */
const MAX_DIFFERENCES = 20;

/** Returns the parameters of a difference: employee, earlier and present amount. */
function differenceParams({ key, name = '', was, is }: Extract<AppEvent, { event: 'difference' }>) {
  const amount = (money: string | undefined) => (money === undefined ? '—' : { money });
  return { who: [key, name].filter(Boolean).join(' '), was: amount(was), is: amount(is) };
}

const MAX_LISTED_PLACES = 3;

/** Creates the printer of journal issues; differences between months are grouped. */
function journalPrinter(terminal: Terminal, mask: Mask): IssuePrinter {
  const { language } = terminal;
  const printer = createIssuePrinter(terminal, ruleEntry);
  const groups = new Map<string, { readonly sample: Issue; readonly places: string[]; count: number }>();
  const placeOf = (issue: Issue): string =>
    issue.place.row === undefined
      ? mask.person(String(paramOf(issue, 'who') ?? issue.documentKey ?? ''))
      : formatPlace(issue.place);
  return {
    print(issue, masked) {
      // A large company has many: they are printed as one line per group.
      if (!hasTrait(issue, 'month-difference')) return printer.print(issue, masked);
      const found = groups.get(issue.code) ?? { sample: issue, places: [], count: 0 };
      groups.set(issue.code, found);
      found.count += 1;
      if (found.count <= MAX_LISTED_PLACES) found.places.push(placeOf(issue));
    },
    finish() {
      printer.finish();
      for (const { sample, places, count } of groups.values()) {
        const line = translate(language, 'monthGroup', {
          title: word(sample, language).title,
          month: String(paramOf(sample, 'month') ?? ''),
          count: formatCount(count, language),
          where: places.join(', ') + (count > MAX_LISTED_PLACES ? ' …' : ''),
        });
        terminal.print(`${terminal.paint('yellow', `! ${translate(language, 'warning')}: `)}${line}`);
      }
      groups.clear();
    },
  };
}

function peopleRenderer(terminal: Terminal, options: RenderOptions): (event: AppEvent) => void {
  const { language } = terminal;
  const { mask } = options;
  const worded = wordingFor(terminal.language, options.command);
  const printMessage = (message: Message): void => terminal.print(worded(message).trimEnd());
  const line = <K extends Phrase>(...[key, params]: PhraseWithParams<K>): void =>
    printMessage({ key, params } as Message);
  const printer = createIssuePrinter(terminal, ruleEntry);
  // A user who decides sees names and amounts in full; in a log they are masked.
  const unmasked = terminal.interactive ? NO_MASK : mask;
  const remarks = journalPrinter(terminal, unmasked);
  let differences = 0;
  let progress: Progress | undefined;
  let changes = false;

  const printDestination = ({ company, url, environment, testSet }: Destination): void => {
    terminal.print();
    line('company', { company });
    line('service', { url: url.href });
    if (testSet === undefined) line('direct', { environment: { key: environment } });
    else line('testSet', { environment: { key: environment }, testSet });
  };

  const printTotals = (totals: Totals): void => {
    for (const [name, money] of Object.entries(totals))
      terminal.print(
        `${`${translate(language, name as PlainPhrase)}:`.padEnd(12)}${formatMoney(money, language)}`,
      );
  };

  const sayDecided = ({ decided, count }: { decided: readonly ApprovalDetails[]; count: number }): void => {
    for (const { number, act, name, total } of decided) {
      const amount = total && amountInWords(total, language);
      terminal.print(`    ${[number, act, name, amount].filter(Boolean).join(' · ')}`);
    }
    if (count > decided.length) line('moreDecided', { count: count - decided.length });
  };

  return (event) => {
    switch (event.event) {
      case 'message':
        return printMessage(event);
      case 'issue': {
        const shown = event.of === 'journal' || hasTrait(event.issue, 'to-decide') ? unmasked : mask;
        const masked = (issue: Issue): Issue => shown.issue(issue, event.about, event.personal);
        return (event.of === 'journal' ? remarks : printer).print(event.issue, masked);
      }
      case 'issues-end':
        return (event.of === 'journal' ? remarks : printer).finish();
      case 'remark':
        if (!event.brief) return printIssue(terminal, event.issue);
        return terminal.print(terminal.paint('yellow', '! ') + issueLine(event.issue, language));
      case 'stopped':
        terminal.print(terminal.paint('red', translate(language, 'stoppedEarly')));
        return terminal.print(issueLine(event.issue, language));
      case 'begins':
        progress = createProgress(terminal, event);
        return;
      case 'progress':
        return progress?.update(event.done);
      case 'ends':
        progress?.finish();
        progress = undefined;
        return;
      case 'document':
        if (event.numbered !== undefined) terminal.out(JSON.stringify(event.numbered));
        return;
      case 'assumed': {
        for (const [note, count] of event.skipped)
          line('skippedRows', { note: note.replace(/\.$/, ''), count });
        const shown = event.formats.filter(({ few }) => few || !event.usualFormats);
        const formats = shown.map(
          ({ style, cell }) => `${translate(language, `style-${style}` as Phrase)} (${cell})`,
        );
        if (formats.length > 0) line('formats', { list: formats.join('; ') });
        const defaults = event.named.map(
          ({ title, type, value }) => `${title[language]}: ${valueInWords(value, type, language)}`,
        );
        if (defaults.length > 0 && !event.usual) line('defaults', { list: defaults.join('; ') });
        return;
      }
      case 'accounts':
        return printAccounts(terminal, event.accounts);
      case 'facts': {
        if (Object.keys(event.totals).length === 0) return;
        line('acceptedTotals');
        return printTotals(event.totals);
      }
      case 'figures': {
        const { months, planned, totals, earlier, blocked, errors, warnings } = event;
        printDestination(event);
        if (months.length > 0)
          line('theMonths', { months: months.map((month) => formatMonth(month, language)).join(', ') });
        line('toSend', { count: planned });
        if (planned > 0) printTotals(totals);
        if (earlier > 0) line('already', { count: earlier });
        if (blocked > 0) line('blocked', { count: blocked });
        return line('issues', { errors, warnings });
      }
      case 'mail-plan': {
        const { to, count, counts } = event;
        printDestination(event);
        line('toMail', { count });
        if (to === undefined) line('mailToWorkers');
        else line('mailTo', { address: to });
        if (counts.already > 0) line('alreadyMailed', { count: counts.already });
        if (counts.unconfirmed > 0) line('maybeMailed', { count: counts.unconfirmed });
        if (counts.noAddress > 0) line('noAddress', { count: counts.noAddress });
        if (counts.deletions > 0) line('deletionsNotMailed', { count: counts.deletions });
        if (counts.corrected > 0) line('correctedNotMailed', { count: counts.corrected });
        if (counts.notAccepted > 0) line('notAccepted', { count: counts.notAccepted });
        return;
      }
      case 'setup-plan':
        terminal.print();
        line('company', { company: event.company ?? translate(language, 'noCompany') });
        line('service', { url: event.url.href });
        line('planSoftware');
        for (const { name: key, value, before } of event.lines)
          if (before === undefined) line('planLine', { name: { key }, value });
          else line('planChange', { name: { key }, value, before });
        return;
      case 'run': {
        const { id, meta } = event.run;
        const made = Object.values(event.counts).reduce((sum, count) => sum + count, 0);
        terminal.print(`${id}  ${meta.inputs.map(({ file }) => file).join(', ')}`);
        return terminal.print(`  ${translate(language, 'outcomes', { made, ...event.counts })}`);
      }
      case 'change':
        if (!changes) printChangesHead(terminal);
        changes = true;
        return printChange(terminal, event, unmasked);
      case 'overview':
        return printOverview(terminal, event);
      case 'irreversible': {
        const { act, count, names, decided } = event;
        if (terminal.interactive && decided.length > 0) {
          line('irreversibleHead', { act, count });
          return sayDecided(event);
        }
        const where = names.join(', ') + (count > names.length ? ' …' : '');
        return line('irreversible', { act, count, where });
      }
      case 'to-decide':
        return terminal.interactive ? sayDecided(event) : undefined;
      case 'difference':
        differences += 1;
        if (terminal.interactive && differences <= MAX_DIFFERENCES)
          line('monthDifference', differenceParams(event));
        return;
      case 'differences': {
        const { month, changed, fresh, missing } = event;
        if (terminal.interactive && differences > MAX_DIFFERENCES)
          line('moreDifferences', { count: differences - MAX_DIFFERENCES });
        differences = 0;
        return line('monthDifferences', { month, changed, fresh, missing });
      }
      case 'text':
        return terminal.out(event.text);
      case 'log':
        return terminal.out(event.line);
      case 'response':
        return terminal.out('text' in event ? event.text : JSON.stringify(event.body, undefined, 2));
      case 'value':
        return terminal.out(JSON.stringify(event.value, undefined, 2));
      case 'inspection':
        return showInspection(terminal, event.inspection, event.asks);
      case 'remembered':
        return terminal.out(`${event.name}\t${event.at.slice(0, 10)}`);
      case 'ready-made':
        return terminal.out(`${event.name}\t${event.description[language]}`);
      case 'mapping-params':
        if (event.params.length > 0) line('paramsHead');
        for (const param of event.params) terminal.print(paramLine(param, language));
        return;
      case 'answers':
        for (const question of event.questions) {
          terminal.print(`${question.id}  ${question.title}`);
          for (const line of allAnswerLines(question)) terminal.print(line);
        }
        return;
      case 'proposal':
        if (event.kept && event.written)
          terminal.print(inspectText(language, 'kept', { file: event.written }));
        return printNext(terminal, event.inspection, event.files, event.written, event.asked);
      case 'code': {
        const { code, id, entry, family, field, brief } = event;
        const name = id === undefined ? code : code === AUTHORITY + id ? id : `${id} → ${code}`;
        terminal.out(`${name}: ${entry.title[language]}`);
        if (brief) return;
        if (family !== undefined)
          terminal.out(translate(language, 'explainFrom', { from: ruleFamily(family, language) }));
        if (field !== undefined) terminal.out(translate(language, 'explainField', { field }));
        terminal.out(translate(language, 'explainLevel', { level: entry.level }));
        if (entry.authority !== undefined)
          terminal.out(translate(language, 'explainRules', { rules: entry.authority.join(', ') }));
        terminal.out(translate(language, 'explainMessage', { message: unfilled(entry.message[language]) }));
        return terminal.out(translate(language, 'explainFix', { fix: unfilled(entry.fix[language]) }));
      }
      case 'schema':
        return terminal.out(event.name);
      case 'catalogue':
        return terminal.out(`${event.name}\t${worded(originMessage(event.name, event.origin))}`);
      case 'catalogue-rows':
        terminal.print(`${event.name}: ${worded(originMessage(event.name, event.origin))}`);
        terminal.out(event.columns.join('\t'));
        for (const row of event.rows)
          terminal.out(event.columns.map((column) => row[column] ?? '').join('\t'));
        return;
      case 'catalogue-stored': {
        const { rows, source, from } = event.origin;
        const stored = { table: event.name, rows: String(rows) };
        if (!event.isNew) return line('tableSame', stored);
        return from === undefined
          ? line('tableLoaded', { ...stored, source })
          : line('tableLoadedFrom', { ...stored, source, from });
      }
      case 'law-table': {
        const { name, first, last, hash } = event;
        return terminal.out([name, `${first}–${last}`, hash, lawMade(event, worded)].join('\t'));
      }
      case 'profile':
        return terminal.out([event.profile, event.environment, event.company ?? '–', event.url].join('\t'));
      case 'profile-shown':
        terminal.out(`# ${event.file}`);
        return terminal.out(yaml().stringify(event.content).trimEnd());
      case 'test': {
        const shown = (value: JsonValue | undefined): string =>
          value === undefined ? '—' : JSON.stringify(value);
        const { ok, name, differences } = event;
        terminal.print(`${terminal.paint(ok ? 'green' : 'red', ok ? '✓' : '✗')} ${name}`);
        for (const { at, expected, found } of differences)
          terminal.print(
            `    ${translate(language, 'testDifference', { at, expected: shown(expected), found: shown(found) })}`,
          );
        return;
      }
      case 'sandbox': {
        const { url, token, tokens, adminToken } = event;
        const set = (name: string, value: string): string =>
          process.platform === 'win32' ? `  $env:${name} = "${value}"` : `  export ${name}=${value}`;
        terminal.out(translate(language, 'sandboxAt', { url }));
        terminal.out(translate(language, 'sandboxUse'));
        terminal.out(set('CARGUE_URL', url));
        terminal.out(set('CARGUE_TOKEN', token));
        terminal.out('  cargue send nomina.xlsx -m payroll/wide --params params.json');
        if (Object.keys(tokens).length > 1)
          for (const [nit, companyToken] of Object.entries(tokens))
            terminal.out(translate(language, 'sandboxCompany', { nit, token: companyToken }));
        terminal.out(translate(language, 'sandboxAdmin', { token: adminToken }));
        return terminal.out(translate(language, 'sandboxStop'));
      }
      default: // a fact: people are told it by messages
    }
  };
}

function originMessage(
  name: string,
  { origin, rows, source = '', at = '', version = '', from }: ShownOrigin,
): Message {
  const count = String(rows);
  switch (origin) {
    case 'absent':
      return { key: 'originAbsent', params: { sispro: publishedTable(name)?.sispro ?? '' } };
    case 'sample':
      return { key: 'originSample', params: { rows: count } };
    case 'shipped':
      return { key: 'originShipped', params: { rows: count } };
    default: {
      const loaded = { rows: count, source, at: at.slice(0, 10), version };
      return from === undefined
        ? { key: 'originLoaded', params: loaded }
        : { key: 'originLoadedFrom', params: { ...loaded, from } };
    }
  }
}

/** Prompts for text; replaced in tests. */
export interface Prompts {
  /** Returns true only for a clear yes. */
  yes(question: string): Promise<boolean>;
  secret(question: string): Promise<string>;
  text(question: string): Promise<string>;
}

export function askOn(
  terminal: Terminal,
  prompts: Prompts,
  options: Pick<RenderOptions, 'json' | 'command'>,
): Ask {
  const worded = wordingFor(terminal.language, options.command);
  return {
    confirm: (question) => prompts.yes(worded(question)),
    text: (question) => prompts.text(worded(question)),
    secret: (question) => prompts.secret(worded(question)),
    ...(!options.json && { value: (question) => askValue(terminal, prompts, question) }),
    // With `--json` questions are in the objects, and answers come by `--answer`.
    choose: async (question, at) => (options.json ? undefined : choose(terminal, prompts, question, at)),
  };
}

/** Formats a parameter: `  month=MES  Mes de la nómina: noviembre de 2026`. */
function paramLine(
  {
    name,
    title,
    type,
    choices,
    columns,
    needed,
    default: value,
    from,
    called,
  }: Extract<AppEvent, { event: 'mapping-params' }>['params'][number],
  language: Language,
): string {
  const values = choices ?? columns;
  const kind =
    from === undefined || values
      ? typeInWords(type, language, values && choicesInWords(values, language))
      : translate(language, 'paramOfList', { ...from, title: listTitle(from.list, language) });
  const usual = valueInWords(String(value), type, language);
  const use =
    value !== null
      ? translate(language, 'paramDefault', {
          value: called === undefined || choices ? usual : `${usual} (${called})`,
        })
      : needed
        ? translate(language, 'paramNeeded')
        : '';
  return `  -p ${name}=…  ${title[language]} [${kind}]${use}`;
}

/**
 * Asks for a parameter: `Mes de la nómina (mes y año) [noviembre de 2026]: `; for a code list, `?` lists the entries.
 */
async function askValue(terminal: Terminal, prompts: Prompts, question: AskedValue): Promise<string> {
  const { language } = terminal;
  const { title, type, columns, known, answers } = question;
  const kind = (PARAM_HINTS as Readonly<Record<string, Text>>)[type]?.[language] ?? type;
  const choices = (all: readonly Answer[]): string =>
    all.map(({ title }, at) => (isNumbered({ answers: all }) ? `${at + 1} ${title}` : title)).join(', ');
  const hint =
    answers !== undefined
      ? type === 'choice'
        ? translate(language, 'hint', { type: choices(answers) })
        : translate(language, 'listHint')
      : columns !== undefined
        ? translate(language, 'recordHint', {
            columns: columns.map(({ title }) => title[language]).join(', '),
          })
        : type === 'text' || type === ''
          ? ''
          : translate(language, 'hint', { type: kind });
  const asked = { title: title[language], hint };
  const shown = Array.isArray(known)
    ? translate(language, 'knownRecords', { count: known.length })
    : known !== undefined && valueInWords(String(known), type, language);
  const prompt =
    shown === false
      ? translate(language, 'askValue', asked)
      : translate(language, 'askValueKnown', { ...asked, known: shown });
  for (;;) {
    const text = await prompts.text(prompt);
    if (answers === undefined || !text.startsWith('?')) return text;
    const sought = text.slice(1).trim();
    const found = sought === '' ? answers : answersLike({ answers }, sought);
    for (const line of allAnswerLines({ answers }, found)) terminal.print(line);
  }
}

/** Fills the blanks of a message without values. */
const unfilled = (text: string): string => fillBlanks(text, () => '…');

const BACKWARDS: ReadonlySet<string> = new Set(['<', 'atras', 'volver', 'back']);

/** Prints the answers and asks until one is valid; undefined if it is left open. */
async function choose(
  terminal: Terminal,
  prompts: Prompts,
  asked: Question,
  { number, of }: { readonly number: number; readonly of: number },
): Promise<string | undefined | typeof BACK> {
  const { language, paint } = terminal;
  const question = takenLast(asked);
  const printAll = (lines: readonly string[]): void => lines.forEach((line) => void terminal.print(line));
  terminal.print();
  terminal.print(paint('dim', inspectText(language, 'numbered', { number, of })));
  printAll(questionLines(question, language, paint, true));
  for (;;) {
    const reply = (await prompts.text(promptText(question, language))) || defaultAnswer(question);
    if (reply === undefined) return undefined;
    if (BACKWARDS.has(fold(reply))) return BACK;
    if (reply.startsWith('?')) {
      const sought = reply.slice(1).trim();
      printAll(allAnswerLines(question, sought === '' ? undefined : answersLike(question, sought)));
      continue;
    }
    const reading = readReply(question, reply);
    const value = 'value' in reading ? reading.value : undefined;
    const conflicting = question.answers.find((answer) => answer.value === value && isConflicting(answer));
    if (value !== undefined && conflicting === undefined) return value;
    if (conflicting === undefined) terminal.print(inspectText(language, 'noSuch'));
    else
      terminal.print(
        inspectText(language, 'conflicting', { title: conflicting.title, reason: conflicting.reason ?? '' }),
      );
    if ('near' in reading) printAll(allAnswerLines(question, reading.near));
  }
}
