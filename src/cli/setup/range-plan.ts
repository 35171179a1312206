import type { Client } from '../../client/client.js';
import type { Issue, Language } from '../../issues/issue.js';
import type { JsonObject } from '../../values/json.js';
import type { Options } from '../options.js';
import { say } from '../say.js';
import { type PlanLine, type SetupPlan, warning } from './setup-plan.js';
import type { RecordedRange, SetupRecord } from './setup-record.js';
import { memberText } from './setup-value.js';

/** What the service shows of the numbers of a type. */
export interface Standing {
  /** May be another than the one asked for (service.md 4.10). */
  readonly prefix: string;
  readonly next: number;
}

/** Asks where the numbers stand; undefined where the service shows nothing, as without a range. */
export async function askStanding(
  client: Client,
  type: 9 | 10,
  prefix?: string,
): Promise<Standing | undefined> {
  const path = { type, ...(prefix !== undefined && { prefix }) };
  const answer = await client.call('getCurrentNumber', { path });
  if (answer.kind !== 'json' || answer.status !== 200) return undefined;
  const next = Number(memberText(answer.body, '/number'));
  const shown = memberText(answer.body, '/prefix');
  return Number.isSafeInteger(next) && shown !== undefined ? { next, prefix: shown } : undefined;
}

/** What is known before the call, from the service and from this machine. */
export interface RangePresent {
  readonly record: SetupRecord;
  /** Of the prefix itself. */
  readonly own: Standing | undefined;
  /** Of the range that the service takes first. */
  readonly first: Standing | undefined;
}

export const typeText = (language: Language, type: 9 | 10): string =>
  say(language, type === 9 ? 'typePayroll' : 'typeAdjust');

const rangeText = ({ first, last }: RecordedRange): string => `${first} – ${last}`;

/** What will change, and what of it needs a word of its own. */
export function rangePlan(
  language: Language,
  options: Options,
  range: RecordedRange,
  { record, own, first }: RangePresent,
): Omit<SetupPlan, 'url'> {
  const { type, prefix } = range;
  const of = typeText(language, type);
  const before = record.ranges.find((known) => known.type === type && known.prefix === prefix);
  const recorded = record.ranges.find((known) => known.type === type && known.prefix !== prefix);
  const other = first !== undefined && first.prefix !== prefix ? first.prefix : recorded?.prefix;
  const next = own?.prefix === prefix ? own.next : undefined;
  const lines: PlanLine[] = [
    { name: 'nameDocumentType', value: of },
    { name: 'namePrefix', value: prefix },
    { name: 'nameRange', value: rangeText(range), ...(before && { before: rangeText(before) }) },
    { name: 'nameNext', value: next === undefined ? say(language, 'notKnown') : String(next) },
  ];
  const warnings: Issue[] = [];
  if (next !== undefined && (next < range.first || next > range.last))
    warnings.push(warning('setup/next-outside', { prefix, next, first: range.first, last: range.last }));
  if (options.replaceAll) warnings.push(warning('setup/replaces-all'));
  else if (other !== undefined) warnings.push(warning('setup/second-prefix', { other }));
  // The option itself is the word of whoever says --yes.
  const grave = {
    question: say(language, 'askReplaceAll', { of }),
    allowed: true,
    needs: { code: 'run/needs-yes', params: {} },
  };
  return { lines, warnings, graves: options.replaceAll ? [grave] : [] };
}

const MEMBERS = [
  { member: '/resolution/prefix', name: 'namePrefix', of: ({ prefix }: RecordedRange) => prefix },
  { member: '/resolution/from', name: 'askFirstNumber', of: ({ first }: RecordedRange) => String(first) },
  { member: '/resolution/to', name: 'askLastNumber', of: ({ last }: RecordedRange) => String(last) },
] as const;

/** Where the answer speaks of another range than it was told. */
export const rangeFaults = (language: Language, range: RecordedRange, answer: JsonObject): readonly Issue[] =>
  MEMBERS.flatMap(({ member, name, of }): Issue[] => {
    const value = memberText(answer, member);
    if (value === undefined || value === of(range)) return [];
    const params = { of: say(language, name), expected: of(range) };
    return [{ code: 'setup/stored-differs', level: 'error', params, place: {}, value }];
  });
