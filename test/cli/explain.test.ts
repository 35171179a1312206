import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/generated/codes.js';
import { ruleFamily } from '../../src/toolkit/messages/wording.js';
import { catalogue } from '../../src/toolkit/schema/catalogue.js';
import { explainRule, ruleCodes, ruleEntry } from '../../src/toolkit/schema/rule-data.js';
import { offenders } from '../support/offenders.js';
import { fake } from './fake-context.js';
import { explain as run } from './use-cases.js';

const codes = [...Object.keys(CODES), ...ruleCodes()].sort();

async function explained(args: readonly string[]): Promise<Record<string, string>[]> {
  const { context, shown } = fake();
  expect(await run(context, args, { json: true })).toBe(0);
  return shown.out().map((line) => JSON.parse(line));
}

test('without a code: every code of the program and of the rules', async () => {
  expect((await explained([])).map(({ code }) => code)).toEqual(codes);
});

test('each of them says all that there is to say', async () => {
  const says = async (code: string) => {
    const [entry] = await explained([code]);
    for (const key of ['level', 'title', 'message', 'fix']) expect(entry?.[key]).toBeTruthy();
  };
  expect(await offenders(codes, says)).toEqual([]);
});

describe("an authority's own code is explained by ours", () => {
  test.each<[string, string[]]>([
    ['RVC061', ['rips/value-without-payment']],
    ['rvc061', ['rips/value-without-payment']],
    ['RVC070', ['rips/maternal-cause', 'rips/purpose-and-cause']],
    ['RVG05', ['rips/document-length', 'rips/size']],
    ['RVC018', ['rips/repeated-consultation', 'rips/repeated-other-service', 'rips/repeated-procedure']],
    ['NIE187', ['authority/NIE187', 'payroll/accrued-total']],
    ['NIE199A', ['authority/NIE199a', 'payroll/novelty']],
    ['NIE080', ['authority/NIE080', 'payroll/overtime-item']],
    ['NIAE214', ['authority/NIAE214', 'payroll/note-kind']],
    ['LGC14', ['authority/LGC14', 'events/order', 'events/term-running']],
    ['LGC62', ['authority/LGC62', 'events/cash-sale']],
    ['90', ['authority/90', 'events/already-done', 'send/landed-unconfirmed', 'send/number-taken']],
  ])('%s', async (id, expected) => {
    const entries = await explained([id]);
    expect(entries.map(({ code }) => code).sort()).toEqual(expected);
    for (const { code, rules } of entries)
      if (!code!.startsWith('authority/')) expect(rules?.length).toBeGreaterThan(0);
  });

  test('each that the lists name is known', async () => {
    const ids = [
      ...catalogue('rips_validation_rules')!.rows.map((row) => row['code']!),
      ...catalogue('event_order')!.rows.map((row) => row['rule']!),
    ];
    const isKnown = async (id: string) => expect(await explained([id])).not.toEqual([]);
    expect(await offenders(ids, isKnown)).toEqual([]);
  });

  test('each by which documents are rejected has its meaning, fix and field first, in both languages', async () => {
    const saysAll = async ({ rule, xml_field: xml, leaf }: Readonly<Record<string, string>>) => {
      const { context, shown } = fake();
      expect(await run(context, [rule!], { json: true })).toBe(0);
      const [first] = shown.out().map((line) => JSON.parse(line));
      expect(first).toMatchObject({ code: `authority/${rule}` });
      expect(first.field ?? '').toBe([xml, leaf].filter(Boolean).join(' → '));
      const { title, fix } = ruleEntry(`authority/${rule}`)!;
      for (const text of [title.es, title.en, fix.es, fix.en]) expect(text).toBeTruthy();
    };
    const { rows } = catalogue('rejection_rules')!;
    expect(rows.length).toBeGreaterThan(500);
    expect(await offenders([...rows], saysAll)).toEqual([]);
  });

  test('the page says each in both languages, and names no command', async () => {
    const saysIt = async ({ rule }: Readonly<Record<string, string>>) => {
      const { family, meaning, fix } = explainRule(rule!)!;
      expect(family).toBeTruthy();
      for (const text of [meaning.es, meaning.en, fix.es, fix.en]) {
        expect(text).toBeTruthy();
        expect(text).not.toMatch(/cargue [a-z]|--[a-z]/);
      }
      for (const language of ['es', 'en'] as const)
        expect(ruleFamily(family!, language)).not.toBe(language === 'es' ? family : undefined);
    };
    const rows = catalogue('rejection_rules')!.rows.filter(({ family }) => family !== 'rips');
    expect(await offenders([...rows], saysIt)).toEqual([]);
  });

  test('a number that several kinds of documents share begins with the meaning for payroll', async () => {
    const [first] = await explained(['90']);
    expect([first?.['code'], first?.['family'], first?.['field']]).toEqual([
      'authority/90',
      'nómina electrónica',
      '/prefix /consecutive',
    ]);
  });

  test('for people, under the code that was asked', async () => {
    const { context, shown } = fake();
    expect(await run(context, ['RVC061'], {})).toBe(0);
    expect(shown.out()[0]).toMatch(/^RVC061 → rips\/value-without-payment: /);
    expect(shown.out()).toContain('Reglas de la autoridad: RVC061');
  });

  test.each(['RVC999', 'NIE', 'rips/nothing', '91'])('%s is none', async (id) => {
    await expect(run(fake().context, [id], {})).rejects.toMatchObject({
      issues: [{ code: 'run/unknown-name' }],
    });
  });
});
