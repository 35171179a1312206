import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { journalFile } from '../../src/app/journal-access.js';
import type { Options } from '../../src/cli/options.js';
import type { ArchivedDocument } from '../../src/sandbox/payroll/ledger.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { openJournal } from '../../src/send/journal.js';
import { cellsOf } from '../report/annotate-reading.js';
import { editedSample } from '../support/edit-workbook.js';
import { blankRow, correctedMonth, GONE, RENUMBERED, RISEN } from './corrected-month.js';
import { type Fake, type FakeOptions, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { adjust, journalPurge, resume, send } from './use-cases.js';

type World = Awaited<ReturnType<typeof world>>;

const NIT = '900123456';

/** A service of its own with the sample's 25 workers accepted. */
async function world(testSet: string | null = 'set-1', sent = true) {
  const box = await startSandbox(
    testSet === null ? { companies: [{ nit: NIT, environment: 'production' }] } : {},
  );
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const options: Options = {
    ...WIDE,
    param: ['note_prefix=NA'],
    ...(testSet !== null && { testSet }),
    report: join(folder, 'report.xlsx'),
    yes: true,
    json: true,
    showValues: true,
  };
  const here = (more: FakeOptions = {}): Fake =>
    fake({ url: box.url, token: box.token, workspace: join(folder, 'ws'), ...more });
  if (sent) expect(await send(here().context, [SAMPLE], options)).toBe(0);
  box.controls.clearRequests();
  return { box, options, here };
}

const changes = (call: Fake) => call.events().filter(({ event }) => event === 'change');
const codes = (call: Fake) =>
  call.events().flatMap(({ event, code, level }) => (event === 'issue' && level === 'error' ? [code] : []));
const documents = (call: Fake) =>
  (call.events().at(-1) as unknown as { documents: Record<string, number> }).documents;

/** What reached the service and was meant to change something. */
const sends = (box: Sandbox) =>
  box.controls.requests().requests.filter(({ operation }) => /^send(Payroll|AdjustNote)/.test(operation));

/** What DIAN holds beyond the first 25, in the order in which it came. */
const corrected = (box: Sandbox): readonly ArchivedDocument[] => box.controls.documents(NIT).slice(25);
const told = (box: Sandbox) =>
  corrected(box).map(({ kind, number, worker }) => `${kind} ${number} ${worker}`);

const byKey = (call: Fake) =>
  changes(call).map(({ change, key, number, predecessor, proposed, follows }) =>
    [change, key, number, predecessor, proposed && 'proposed', follows].filter(Boolean).join(' '),
  );

/** The end of every way through the headline case. */
function expectTheEnd({ box }: Pick<World, 'box'>, deletions: 1 | 2): void {
  const held = corrected(box);
  const kinds = held.map(({ kind }) => kind).sort();
  expect(kinds).toEqual([...Array(deletions).fill('delete'), 'payroll', 'replace', 'replace', 'replace']);
  expect(new Set(held.map(({ number }) => number)).size).toBe(held.length);
  const at = (kind: string) => held.findIndex((one) => one.kind === kind);
  expect(held[at('payroll')]!.worker).toBe(RENUMBERED.to);
  // The deletion of the old number is accepted before the new payroll comes.
  const old = box.controls.documents(NIT).find(({ worker }) => worker === RENUMBERED.from)!;
  expect(old.deleted).toBe(true);
  const freed = held.findIndex(({ kind, root }) => kind === 'delete' && root === old.cune);
  expect(freed).toBeLessThan(at('payroll'));
  expect(
    held
      .filter(({ kind }) => kind === 'replace')
      .map(({ worker }) => worker)
      .sort(),
  ).toEqual([...RISEN].sort());
}

describe.each(['set-1', null])('the corrected month, test set %s', (testSet) => {
  test('three replacements, a deletion that is only proposed, a deletion with its new payroll', async () => {
    const { box, options, here } = await world(testSet);
    const file = await correctedMonth();
    const call = here();
    expect(await adjust(call.context, [file], options)).toBe(0);
    expect(byKey(call)).toEqual([
      `replace ${RISEN[0]} NA1 NOM2`,
      `replace ${RISEN[1]} NA2 NOM8`,
      `new ${RENUMBERED.to} NOM26 NA4`,
      `replace ${RISEN[2]} NA3 NOM12`,
      `delete ${RENUMBERED.from} NA4 NOM9`,
      `delete ${GONE} NA5 NOM23 proposed`,
    ]);
    expect(changes(call)[1]!['fields']).toEqual([
      field('/worker/salary', 'Trabajador › Salario', '1919000.00', '2000000.00', '81000.00'),
      field('/accrued/salary', expect.any(String), '1919000.00', '2000000.00', '81000.00'),
      field('/accrued/accrued_total', expect.any(String), '2168095.00', '2249095.00', '81000.00'),
    ]);
    expectTheEnd({ box }, 1);
    expect(documents(call)).toMatchObject({ planned: 25, made: 25, accepted: 25, rejected: 0 });
    expect(call.shown.said().some((line) => line.includes('--delete-missing'))).toBe(true);
  });

  test('the same file again sends nothing, and only proposes the deletion once more', async () => {
    const { box, options, here } = await world(testSet);
    const file = await correctedMonth();
    await adjust(here().context, [file], { ...options, deleteMissing: true });
    expectTheEnd({ box }, 2);
    box.controls.clearRequests();
    for (const command of [adjust, send]) {
      const again = here();
      expect(await command(again.context, [file], options)).toBe(0);
      expect(changes(again)).toEqual([]);
      expect(box.controls.requests().count).toBe(0);
      expect(documents(again)).toMatchObject({ accepted: 24 });
    }
  });

  test('interrupted at any time and resumed: the same end, nothing twice', async () => {
    for (const after of testSet === null ? [3] : [1, 5]) {
      const { box, options, here } = await world(testSet);
      const file = await correctedMonth();
      const call = here();
      const slow = box.controls.addFault({ kind: 'delay', phase: 'after', match: {}, times: 1_000, ms: 300 });
      // What DIAN holds already, its answer is surely still on its way.
      const landed = () => (testSet === null ? corrected(box) : sends(box)).length;
      const watch = setInterval(() => {
        if (landed() < after) return;
        clearInterval(watch);
        call.interrupt();
        call.interrupt();
      }, 2);
      const first = await adjust(call.context, [file], { ...options, deleteMissing: true, concurrency: 1 });
      clearInterval(watch);
      expect(first).toBe(130);
      box.controls.remove('faults', slow.id);
      // What was hung up on is under its number; that it is ours, only the PIN tells: given, or asked for.
      const given = { ...here().context, softwarePin: '12345' };
      const asking = here({ answers: [], secrets: ['12345'] });
      const context = testSet === null ? asking.context : given;
      expect(await resume(context, [], { ...options, ...(testSet === null && { yes: false }) })).toBe(0);
      expect(asking.asked).toEqual(testSet === null ? ['secret'] : []);
      expect(asking.shown.out().join('\n')).not.toContain('12345');
      expectTheEnd({ box }, 2);
    }
  });
});

const field = (pointer: string, title: unknown, before: string, after: string, difference: string) => ({
  pointer,
  title,
  before,
  after,
  difference,
});

describe('what needs a yes of its own', () => {
  const unsure = { yes: false } as const;
  test.each<[string, Options, readonly boolean[] | undefined, number, number]>([
    ['--yes alone keeps the deletion out', {}, undefined, 1, 5],
    ['--delete-missing lets it in', { deleteMissing: true }, undefined, 2, 6],
    ['a no to the deletion keeps it out', unsure, [false, true], 1, 5],
    ['a yes to both', unsure, [true, true], 2, 6],
  ])('%s', async (_, more, answers, deletions, count) => {
    const { box, options, here } = await world();
    const call = here(answers === undefined ? {} : { answers });
    expect(await adjust(call.context, [await correctedMonth()], { ...options, ...more })).toBe(0);
    expectTheEnd({ box }, deletions as 1 | 2);
    expect(sends(box)).toHaveLength(count);
    expect(call.asked).toHaveLength(answers?.length ?? 0);
  });

  test('a no to sending sends nothing, nor does --dry-run', async () => {
    const { box, options, here } = await world();
    const file = await correctedMonth();
    expect(await adjust(here({ answers: [true, false] }).context, [file], { ...options, ...unsure })).toBe(0);
    const dry = here();
    expect(await adjust(dry.context, [file], { ...options, dryRun: true })).toBe(0);
    expect(changes(dry)).toHaveLength(6);
    expect(box.controls.requests({ operation: 'sendAdjustNoteTestSet' }).count).toBe(0);
  });

  test('with an error in the file nobody is said to be gone, and the person found again still is', async () => {
    const { box, options, here } = await world();
    const file = await correctedMonth({ O2: '1.5OO.000' });
    const call = here();
    const more = { deleteMissing: true, partial: true };
    expect(await adjust(call.context, [file], { ...options, ...more })).toBe(1);
    expect(codes(call)).toEqual(['cell/not-a-number']);
    expectTheEnd({ box }, 1);
  });
});

test.each<[string, typeof adjust, number, readonly string[]]>([
  ['is deleted under the old one first', adjust, 0, ['NOM26 NA4']],
  ['is no new payroll', send, 1, []],
])('a cédula that has zeros before it now %s', async (_, command, exit, expected) => {
  const { options, here } = await world();
  const file = await correctedMonth({ B10: `0${RENUMBERED.from}` });
  const call = here();
  expect(await command(call.context, [file], { ...options, partial: true })).toBe(exit);
  const made = changes(call).filter(({ key }) => key === `0${RENUMBERED.from}`);
  expect(made.map(({ number, follows }) => `${number} ${follows}`)).toEqual(expected);
  const refused = call
    .events()
    .filter(
      ({ code, documentKey }) => `${code} ${documentKey}` === `payroll/worker-month 0${RENUMBERED.from}`,
    );
  expect(refused).toHaveLength(exit);
});

test('what send holds back as the same person under another number, adjust deletes and sends anew', async () => {
  const { box, options, here } = await world();
  const file = await editedSample({ B10: Number(RENUMBERED.to) });
  const call = here();
  expect(await send(call.context, [file], options)).toBe(1);
  const places = call.events().flatMap(({ code, cell }) => (code === 'payroll/renumbered' ? [cell] : []));
  expect(places).toEqual(['B10']);
  expect(sends(box)).toEqual([]);
  expect(await adjust(here().context, [file], options)).toBe(0);
  expect(told(box)).toEqual(['delete NA1 0', `payroll NOM26 ${RENUMBERED.to}`]);
});

test('a month that DIAN has from elsewhere is not laid out anew: it would be rejected once more', async () => {
  const { box, options, here } = await world('set-1', false);
  await send(here().context, [SAMPLE], options);
  const report = join(freshFolder(), 'report.xlsx');
  const second = { ...options, report, param: ['note_prefix=NA', 'prefix=NN'] };
  const workspace = join(freshFolder(), 'ws');
  const file = await editedSample(Object.assign({}, ...[3, 4, 5, 6].map(blankRow)));
  box.controls.clearRequests();
  expect(await send(here({ workspace }).context, [file], second)).toBe(1);
  expect(sends(box)).toHaveLength(21);
  box.controls.clearRequests();
  const call = here({ workspace });
  expect(await adjust(call.context, [SAMPLE], { ...second, partial: true })).toBe(1);
  const taken = call.events().filter(({ code }) => code === 'payroll/accepted-elsewhere');
  expect(taken).toHaveLength(21);
  expect(taken[0]).toMatchObject({ cell: 'B2', documentKey: '9000100000' });
  expect(sends(box)).toHaveLength(4);
});

test('a second payroll of the month goes as a novelty of the accepted one, which stays', async () => {
  const { box, options, here } = await world();
  const [{ cune, worker }] = box.controls.documents(NIT) as [ArchivedDocument];
  const file = await editedSample({ BC1: 'CUNE novedad', BC2: cune.toUpperCase() });
  const dry = here();
  expect(await adjust(dry.context, [file], { ...options, dryRun: true })).toBe(0);
  expect(byKey(dry)).toEqual([`new ${worker} NOM26`]);
  expect(await send(here().context, [file], options)).toBe(0);
  expect(told(box)).toEqual([`payroll NOM26 ${worker}`]);
});

test('of what was purged nobody knows what changes, and too little is left to delete it', async () => {
  const { box, options, here } = await world();
  await journalPurge(here().context, [], { before: '2027-01-01', yes: true });
  const file = await correctedMonth();
  const screen = here();
  await adjust(screen.context, [file], { ...options, json: false, dryRun: true });
  expect(screen.shown.said().filter((line) => line.includes('se borraron del diario;'))).toHaveLength(3);
  const call = here();
  expect(await adjust(call.context, [file], { ...options, deleteMissing: true, partial: true })).toBe(1);
  expect(byKey(call)).toEqual([
    ...RISEN.slice(0, 2).map((key, at) => `replace ${key} NA${at + 1} NOM${[2, 8][at]}`),
    `new ${RENUMBERED.to} NOM26`,
    `replace ${RISEN[2]} NA3 NOM12`,
  ]);
  const refused = call.events().filter(({ code }) => code === 'payroll/purged');
  expect(refused.map(({ documentKey }) => documentKey)).toEqual([RENUMBERED.from, GONE]);
  for (const { change, fields, forgotten } of changes(call)) {
    expect(forgotten).toBe(change === 'replace');
    if (forgotten)
      for (const one of fields as readonly object[])
        expect(one).toMatchObject({ before: null, difference: null });
  }
  expect(sends(box)).toHaveLength(4);
  const { Cambios, Documentos } = await cellsOf(options.report!);
  expect(Object.values(Cambios!)).toContain('text Borrado del diario');
  const [head = ''] = Object.keys(Documentos!).filter((cell) => Documentos![cell] === 'text Neto antes ($)');
  const column = head.replace(/\d+$/, '');
  expect(Object.keys(Documentos!).filter((cell) => cell.replace(/\d+$/, '') === column)).toEqual([head]);
});

describe('a part of the month', () => {
  /** The rows whose note was rejected, as `--failed` gave them. */
  async function rejected() {
    const { box, options, here } = await world();
    const failed = join(freshFolder(), 'por-corregir.xlsx');
    const arranged = box.controls.addOutcome({
      match: { number: 'NA1' },
      verdict: 'reject',
      rules: ['NIE187'],
    });
    const call = here();
    const file = await correctedMonth();
    expect(await adjust(call.context, [file], { ...options, deleteMissing: true, failed })).toBe(1);
    expect(call.shown.said().some((line) => line.includes('sin --delete-missing'))).toBe(true);
    box.controls.remove('outcomes', arranged.id);
    box.controls.clearRequests();
    return { box, options, here, failed };
  }

  test('of rows to mend nobody is said to be gone, nor in a copy that is annotated', async () => {
    const { box, options, here, failed } = await rejected();
    const annotated = join(freshFolder(), 'anotada.xlsx');
    const dry = here();
    expect(await adjust(dry.context, [failed], { ...options, dryRun: true, annotate: annotated })).toBe(0);
    for (const file of [failed, annotated]) {
      const refused = adjust(here().context, [file], { ...options, deleteMissing: true });
      await expect(refused).rejects.toMatchObject({
        key: 'usage',
        issues: [{ code: 'run/delete-from-part' }],
      });
    }
    const call = here();
    expect(await adjust(call.context, [annotated], options)).toBe(0);
    expect(changes(dry)).toHaveLength(1);
    expect(byKey(call)).toEqual([`replace ${RISEN[0]} NA6 NOM2`]);
    expect(sends(box)).toHaveLength(1);
  });

  test('--delete-missing alone does not delete most of a month', async () => {
    const { box, options, here } = await world();
    const rows = Object.assign({}, ...Array.from({ length: 15 }, (_, at) => blankRow(at + 5)));
    const file = await correctedMonth(rows);
    const deleting = { ...options, deleteMissing: true };
    await expect(adjust(here().context, [file], deleting)).rejects.toMatchObject({
      key: 'usage',
      issues: [{ code: 'run/delete-most', params: { count: 16, stay: 9 } }],
    });
    const call = here({ answers: [false, false] });
    await adjust(call.context, [file], { ...deleting, yes: false });
    expect(call.asked).toEqual([expect.stringContaining('16 personas'), expect.any(String)]);
    expect(sends(box)).toEqual([]);
  });
});

/** As if the verdict of a number had not come yet. */
async function forgetVerdict(
  { here, options }: Pick<World, 'here' | 'options'>,
  consecutive: number,
): Promise<void> {
  const journal = await openJournal(await journalFile(here().context, options));
  await journal.run(`UPDATE document SET state = 'pending' WHERE consecutive = ?`, consecutive);
  await journal.close();
}

describe('what cannot be adjusted', () => {
  test('nobody whose last document has no verdict yet', async () => {
    const { box, options, here } = await world();
    await forgetVerdict({ here, options }, 2);
    const call = here();
    expect(await adjust(call.context, [await correctedMonth()], options)).toBe(4);
    expect(codes(call)).toEqual(['payroll/worker-month']);
    const issue = call.events().find(({ code }) => code === 'payroll/worker-month');
    expect(issue?.['message']).toContain('NOM2,');
    expect(issue?.['fix']).toContain('resume');
    expect(issue?.['cell']).toBe('B3');
    expect(sends(box)).toEqual([]);
  });

  test('nobody who is gone, while the last document has no verdict yet', async () => {
    const { box, options, here } = await world();
    await forgetVerdict({ here, options }, 23);
    const call = here();
    const more = { partial: true, deleteMissing: true };
    expect(await adjust(call.context, [await correctedMonth()], { ...options, ...more })).toBe(4);
    expect(codes(call)).toEqual(['payroll/worker-month']);
    expectTheEnd({ box }, 1);
  });

  test('a replacement that lacks bank data, at its cell', async () => {
    const { options, here } = await world();
    const call = here();
    // Paid in cash: a payroll needs no account, a replacement does.
    const file = await correctedMonth({ O8: 1_800_000, V8: 1_800_000, AR8: 2_049_095, BB8: 1_909_023 });
    expect(await adjust(call.context, [file], options)).toBe(1);
    const errors = call.events().filter(({ level }) => level === 'error');
    expect(new Set(errors.map(({ row, pointer }) => `${row} ${pointer}`))).toEqual(
      new Set(['8 /payment/bank_name', '8 /payment/account_type', '8 /payment/account_number']),
    );
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('payroll/note-needs'));
    const line = call.shown.said().find((one) => one.startsWith('Hallazgos:'));
    expect(line).toContain('3 errores');
    expect(call.shown.said()).toContain('No se pueden enviar: 1 documento.');
  });

  test('without a prefix for the notes nothing is begun', async () => {
    const { options, here } = await world();
    const adjusting = adjust(here().context, [await correctedMonth()], { ...options, param: [] });
    await expect(adjusting).rejects.toMatchObject({ issues: [{ code: 'run/needs-note-prefix' }] });
  });
});

describe('DIAN does not find the predecessor yet', () => {
  test('the note is sent again, unchanged, and accepted', async () => {
    const { box, options, here } = await world();
    box.controls.addOutcome({ match: { number: 'NA1' }, verdict: 'reject', rules: ['NIAE191a'], times: 2 });
    box.controls.addOutcome({ match: { number: 'NA4' }, verdict: 'reject', rules: ['NIAE216a'], times: 1 });
    const call = here();
    expect(await adjust(call.context, [await correctedMonth()], options)).toBe(0);
    expectTheEnd({ box }, 1);
    const first = sends(box).filter(({ number }) => number === 'NA1');
    expect(first).toHaveLength(3);
    expect(new Set(first.map(({ bodyHash }) => bodyHash)).size).toBe(1);
  });

  test('a cap ends it, and what waited for it is not sent', async () => {
    const { box, options, here } = await world();
    box.controls.addOutcome({ match: { number: 'NA4' }, verdict: 'reject', rules: ['NIAE216a'] });
    const call = here();
    expect(await adjust(call.context, [await correctedMonth()], options)).toBe(1);
    expect(new Set(codes(call))).toEqual(
      new Set(['remote/rejected', 'send/predecessor-missing', 'send/predecessor-not-accepted']),
    );
    expect(told(box).some((line) => line.startsWith('payroll'))).toBe(false);
    expect(documents(call)).toMatchObject({ accepted: 23, rejected: 1, unsent: 0, heldBack: 1 });
    const again = here();
    expect(await resume(again.context, [], options)).toBe(0);
    expect(sends(box).filter(({ number }) => number === 'NA4')).toHaveLength(4);
  });
});

test('people read it masked, per person, amount by amount', async () => {
  const { options, here } = await world();
  const call = here();
  await adjust(call.context, [await correctedMonth()], { ...options, json: false, showValues: false });
  const text = call.shown.raw();
  expect(text).toMatch(/9•••59 Á•••an: reemplazar NOM8 con NA2/);
  expect(text).toMatch(/Trabajador › Salario\s+1\.919\.000,00\s+2\.000\.000,00\s+\+81\.000,00/);
  expect(text).not.toContain('9000100259');
});

describe('the month before', () => {
  const november = (more: Options): Options => ({
    ...more,
    param: [
      'note_prefix=NA',
      'month=2026-11',
      'settlement_start_date=2026-11-01',
      'settlement_end_date=2026-11-30',
      'issue_date=2026-11-30',
      'payment_date=2026-11-30',
      'overtime_start_time=2026-11-01T00:00:00',
      'overtime_end_time=2026-11-30T23:59:59',
      'first_consecutive=26',
    ],
  });
  const MONTH = /^payroll\/(new-worker|missing-worker|salary-changed|account-changed)$/;

  test('new, missing, another salary, another account: warnings at their cells', async () => {
    const { options, here } = await world();
    const file = await correctedMonth({ T5: '0688986883' });
    const call = here();
    await send(call.context, [file], { ...november(options), partial: true, dryRun: true });
    const found = call
      .events()
      .filter(({ code }) => MONTH.test(code ?? ''))
      .map(({ code, cell, level, documentKey }) => `${level} ${code} ${cell ?? documentKey}`);
    expect(found.sort()).toEqual(
      [
        'warning payroll/account-changed T5',
        `warning payroll/missing-worker ${GONE}`,
        `warning payroll/missing-worker ${RENUMBERED.from}`,
        'warning payroll/new-worker B10',
        'warning payroll/salary-changed O13',
        'warning payroll/salary-changed O3',
        'warning payroll/salary-changed O9',
      ].sort(),
    );
    const screen = here();
    await send(screen.context, [file], {
      ...november(options),
      partial: true,
      dryRun: true,
      json: false,
      showValues: false,
    });
    const lines = screen.shown.said().filter((line) => line.includes('octubre de 2026): '));
    expect(lines).toHaveLength(4);
    expect(lines.join('\n')).not.toContain(GONE);
    expect(screen.shown.said()).toContain(
      'Frente a octubre de 2026: 3 personas con otro neto, 1 nueva, faltan 2.',
    );
    const differences = call.events().filter(({ event }) => event === 'difference');
    expect(differences.map(({ key, was, is, difference }) => [key, was, is, difference])).toEqual([
      ['9000100037', '6163155.00', '6215155.00', '52000.00'],
      ['9000100259', '2014575.00', '2095575.00', '81000.00'],
      [RENUMBERED.to, null, '4905440.00', null],
      ['8800121', '2700535.00', '2803535.00', '103000.00'],
      [RENUMBERED.from, '4905440.00', null, null],
      [GONE, '2059655.00', null, null],
    ]);
  });

  test.each([
    ['an amount', 'V12', 'mil'],
    ['the number of the worker', 'B12', '90O01004O'],
  ])('who is in the file with an error in %s is not missing', async (_, at, text) => {
    const { options, here } = await world();
    const file = await correctedMonth({ [at]: text });
    const call = here();
    await send(call.context, [file], { ...november(options), partial: true, dryRun: true });
    const events = call.events();
    expect(events.filter(({ event, level }) => event === 'issue' && level === 'error')).toMatchObject([
      { cell: at },
    ]);
    const missing = events.filter(({ event, is }) => event === 'difference' && is === null);
    expect(missing.map(({ key }) => key).sort()).toEqual([RENUMBERED.from, GONE].sort());
  });

  test('says nothing where no month before is known', async () => {
    const { here, options } = await world('set-1', false);
    const call = here();
    await send(call.context, [SAMPLE], { ...options, dryRun: true });
    expect(call.events().filter(({ code }) => MONTH.test(code ?? ''))).toEqual([]);
  });
});
