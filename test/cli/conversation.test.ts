import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/toolkit/core/text.js';
import type { Answer } from '../../src/toolkit/inspect/question.js';
import { CLERKS, type Clerk } from '../golden/clerks.js';
import { prepareFiles } from '../support/prepare-file.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sampleCsv } from './sample.js';
import { inspect } from './use-cases.js';

/** By what a person knows what is asked, whose answer is kept by the id of the question. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^Estas columnas no parecen ir/, 'unused.'],
  [/^Estas columnas parecen ser esto/, 'sure.'],
  [/^No es claro qué forma tiene/, 'layout'],
  [/^Ninguna columna lo trae: Tipo de trabajador/, 'param.type_worker_id'],
  [/^Ninguna columna lo trae: Subtipo de trabajador/, 'param.sub_type_worker_id'],
  [/^Ninguna columna lo trae: Tipo de documento/, 'param.document_type_id'],
  [/^Ninguna columna lo trae: /, 'param.'],
  [/no está en la lista de|\(filas: /, 'value.'],
];

/** What stands on the screen since the last question was put: its title and what is shown below. */
const questionOn = (said: readonly string[]): readonly string[] =>
  said.slice(said.findLastIndex((line) => /^Pregunta \d+ de \d+$/.test(line)) + 1);

const wordsIn = (text: string): readonly string[] => fold(text).split(/\P{L}+/u);

const MOST_QUESTIONS = 100;

/** Reads the question off the screen, as a person does, and types what the person knows. */
function typed(clerk: Clerk, said: readonly string[]): string {
  const lines = questionOn(said);
  const title = lines.map((line) => line.trim()).join(' ');
  const id = SIGNS.find(([sign]) => sign.test(title))?.[1] ?? '';
  if (said.filter((line) => line.startsWith('Pregunta ')).length > MOST_QUESTIONS || said.length > 5_000)
    throw new Error(`asked again and again: ${title}`);
  const { columns = {}, words = {}, others = {} } = clerk;
  if (id.startsWith('unused.')) {
    const rows = lines.map((line) => /^ {6}(\S+) {2}(.*?): /.exec(line)).filter((row) => row !== null);
    return rows.flatMap(([, letter, label]) => (columns[label!] ? [letter] : [])).join(', ') || 'sí';
  }
  if (id.startsWith('sure.')) {
    const rows = lines
      .map((line) => /^ {6}(\S+) {2}(.*?) → (.*?): /.exec(line))
      .filter((row) => row !== null);
    const isRight = (label: string, title: string): boolean =>
      columns[label] !== undefined &&
      wordsIn(columns[label]).every((word) => word.length < 4 || wordsIn(title).includes(word));
    return (
      rows.flatMap(([, letter, label, title]) => (isRight(label!, title!) ? [] : [letter])).join(', ') || 'sí'
    );
  }
  const other = Object.entries(others).find(([start]) => id.startsWith(start))?.[1];
  if (other !== undefined) return other;
  if (id.startsWith('param.')) return '';
  const named = /«(.*?)»/.exec(lines.join(' '))?.[1] ?? '';
  if (id === 'value.') return words[named] ?? 'no';
  return columns[named] ?? columns[named.split(' / ').at(-1)!] ?? 'no se usa';
}

describe('a person answers at the prompt', () => {
  test.each(['two fortnights side by side', 'a sheet grown by hand', 'the diary of a single professional'])(
    '%s',
    async (name) => {
      const clerk = CLERKS[name]!;
      const folder = join('samples', clerk.folder);
      const params = JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')) as Record<string, unknown>;
      const run = Object.entries(params).filter(([key]) => !clerk.settled?.includes(key));
      const given = Object.fromEntries(run);
      const paramsFile = join(freshFolder(), 'params.json');

      writeFileSync(paramsFile, JSON.stringify(given));
      const file = join(folder, readdirSync(folder).find((one) => /\.(xlsx|txt)$/.test(one))!);
      const write = join(freshFolder(), 'mapeo.yaml');
      const { context, shown } = fake({ reads: (said) => typed(clerk, said) });
      await inspect(context, [file], { write, params: paramsFile });
      expect(shown.said().join('\n')).toContain('Mapeo recordado');
      const made = await prepareFiles({ files: [file], mapping: write, params: given });
      const wanted = await prepareFiles({ files: [file], mapping: clerk.right, params });
      expect(made.drafts.map(({ body }) => body)).toEqual(wanted.drafts.map(({ body }) => body));
    },
  );
});

describe('at the prompt', () => {
  /** The sample with two amounts that only the office knows. */
  const file = (): Promise<string> =>
    sampleCsv((grid) => {
      for (const [row, cells] of grid.entries())
        cells.push(
          ...['PROVISION', 'RESERVA'].map((label) =>
            row === 0 ? label : String(label.length * 41_000 + ((row * 7919) % 97) * 1000),
          ),
        );
    });

  /** Types the lines in order; returns the mapping and what was shown. */
  async function play(lines: readonly string[]): Promise<{ text: string; said: string; asked: number }> {
    const write = join(freshFolder(), 'mapeo.yaml');
    const { context, shown, asked } = fake({ lines });
    await inspect(context, [await file()], { write });
    return { text: readFileSync(write, 'utf8'), said: shown.said().join('\n'), asked: asked.length };
  }

  test('a question mark shows every answer by its group, with a text those that have it', async () => {
    const { said } = await play(['?', '?vacac', 'no', 'no']);
    expect(said).toMatch(
      /Trabajador\n[\s\S]*document_type +Tipo documento[\s\S]*Deducciones\n[\s\S]*tax_lien +Embargo/,
    );
    expect(said.match(/vacation_start/g)).toHaveLength(2);
  });

  test('a number, a title and a part of one are answers; a part of two is asked again with both', async () => {
    const { text, said, asked } = await play(['horas', 'embargo', '1']);
    expect(text).toContain('PROVISION: tax_lien');
    expect(text).toContain('RESERVA: ignore');
    expect(said).toContain('¿Quiso decir una de estas?');
    expect(asked).toBe(3);
  });

  test('an answer is taken back', async () => {
    const { text } = await play(['embargo', '<', 'deuda', 'no']);
    expect(text).toContain('PROVISION: debt');
    expect(text).toContain('RESERVA: ignore');
  });

  test('an answer that cannot stand beside a column is refused before it is taken', async () => {
    const { text, said, asked } = await play(['embargo', 'document', 'deuda']);
    expect(said).toContain('«Número documento»: ya la trae «Número documento»');
    expect(said.match(/¿Qué es «PROVISION»/g)).toHaveLength(1);
    expect(text).toContain('PROVISION: tax_lien');
    expect(text).toContain('RESERVA: debt');
    expect(asked).toBe(3);
  });

  test('of two answers that cannot stand together the last one is refused', async () => {
    const { text, said, asked } = await play(['retirement_date', 'retirement_date', 'no']);
    expect(said).toContain('ya la trae «PROVISION»');
    expect(text).toContain('RESERVA: ignore');
    expect(asked).toBe(3);
  });

  test('an answer says what it would move: pesos of amounts, cells of all else', async () => {
    const { said } = await play(['?embargo', 'no', 'no']);
    const pesos = [...Array(25).keys()].map((row) => 9 * 41_000 + (((row + 1) * 7919) % 97) * 1000);
    const total = pesos.reduce((all, one) => all + one).toLocaleString('de-DE');
    expect(said).toContain(`quedan fuera ${total},00`);
    const { context, events } = fake();
    await inspect(context, [await file()], { json: true });
    const [{ answers }] = events().filter(({ event }) => event === 'question') as unknown as [
      { readonly answers: readonly Answer[] },
    ];
    const effects = new Map(answers.map(({ value, effect }) => [value, effect]));
    const amount = `${pesos.reduce((all, one) => all + one)}.00`;
    expect(effects.get('ignore')).toMatchObject({ to: 'nothing', cells: 25, amount });
    expect(effects.get('tax_lien')).toEqual({
      to: 'documents',
      cells: 25,
      amount,
      about: `suma ${total},00`,
    });
    expect(effects.get('stated_accrued')).toMatchObject({ to: 'control', amount });
    expect(effects.get('worker_code')).toEqual({ to: 'documents', cells: 25, about: '25 celdas' });
  });
});
