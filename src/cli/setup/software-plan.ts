import type { Issue, Language } from '../../issues/issue.js';
import { sameAddress } from '../../payroll/dian-address.js';
import type { JsonObject } from '../../values/json.js';
import type { Options } from '../options.js';
import { type Phrase, say } from '../say.js';
import { targetText } from './dian-target.js';
import { type Grave, type PlanLine, type SetupPlan, warning } from './setup-plan.js';
import type { Addresses, SetupRecord } from './setup-record.js';
import { memberText } from './setup-value.js';

/** All that `setup software` sets but the PIN. */
export type Software = Addresses & { readonly id: string };

/** Both addresses, and where the answer shows them. */
const ADDRESSES = [
  { key: 'payroll', name: 'namePayroll', member: '/software/urlpayroll' },
  { key: 'invoicing', name: 'nameInvoicing', member: '/software/url' },
] as const satisfies readonly { key: keyof Addresses; name: Phrase; member: string }[];

/** What will change, and what of it needs a word of its own. */
export function softwarePlan(
  language: Language,
  options: Options,
  wanted: Software,
  before: SetupRecord['software'],
): Omit<SetupPlan, 'url'> {
  const shown = (address: string): string => targetText(address, language);
  const line = (name: Phrase, value: string, earlier: string | undefined): PlanLine =>
    earlier === undefined || earlier === value ? { name, value } : { name, value, before: earlier };
  const changes = ADDRESSES.flatMap(({ key, name }) =>
    before === undefined || sameAddress(before[key], wanted[key])
      ? []
      : [{ of: say(language, name), before: shown(before[key]), after: shown(wanted[key]) }],
  );
  return {
    lines: [
      line('nameSoftwareId', wanted.id, before?.id),
      { name: 'namePin', value: say(language, 'pinHidden') },
      ...ADDRESSES.map(({ key, name }) =>
        line(name, shown(wanted[key]), before === undefined ? say(language, 'notKnown') : shown(before[key])),
      ),
    ],
    warnings: [
      ...(before === undefined ? [warning('setup/unknown-present')] : []),
      ...changes.map((change) => warning('setup/changes-address', change)),
      ...(sameAddress(wanted.payroll, wanted.invoicing) ? [] : [warning('setup/two-addresses')]),
    ],
    graves: changes.map(
      (change): Grave => ({
        question: say(language, 'askChangeAddress', change),
        allowed: options.changeAddress === true,
        needs: { code: 'setup/needs-change-address', params: { of: change.of } },
      }),
    ),
  };
}

/** What the service says it stored, with what it was told where it does not say. */
export function storedSoftware(wanted: Software, answer: JsonObject): Software {
  const [payroll, invoicing] = ADDRESSES.map(({ key, member }) => memberText(answer, member) ?? wanted[key]);
  return { id: wanted.id, payroll: payroll!, invoicing: invoicing! };
}

/** Where the answer speaks of other addresses than it was told, or of none. */
export const softwareFaults = (language: Language, wanted: Software, answer: JsonObject): readonly Issue[] =>
  ADDRESSES.flatMap(({ key, name, member }): Issue[] => {
    const stored = memberText(answer, member);
    const of = say(language, name);
    if (stored === undefined) return [warning('setup/not-shown', { of })];
    if (sameAddress(stored, wanted[key])) return [];
    const params = { of, expected: wanted[key] };
    return [{ code: 'setup/stored-differs', level: 'error', params, place: {}, value: stored }];
  });
