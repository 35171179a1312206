import { expect, test } from 'vitest';
import type { AppEvent } from '../../src/app/events.js';
import type { Mask } from '../../src/app/mask.js';
import { printChange, printChangesHead } from '../../src/cli/changes.js';
import { createTerminal } from '../../src/cli/terminal.js';

type ChangeEvent = Extract<AppEvent, { event: 'change' }>;

const amount = { isAmount: true, isPersonal: false } as const;
const EVENT = {
  event: 'change',
  proposed: false,
  change: {
    kind: 'replace',
    key: '9000100000',
    name: 'Ángela Bohórquez',
    number: 'NA1',
    predecessor: { number: 'NOM4' },
    fields: [
      {
        ...amount,
        titles: ['Devengados', 'Bonificaciones 1', 'Bonificación no salarial'],
        before: undefined,
        after: '150000.00',
        difference: '150000.00',
      },
      {
        ...amount,
        titles: ['Devengados', 'Total devengado'],
        before: '24500000.00',
        after: '24650000.00',
        difference: '150000.00',
      },
      {
        isAmount: false,
        isPersonal: true,
        titles: ['Trabajador', 'Dirección'],
        before: 'Calle 100 # 12-34, apartamento 501',
        after: 'Carrera 7 # 1-2',
        difference: undefined,
      },
    ],
  },
} as unknown as ChangeEvent;

const shownAt = (columns: number | undefined): readonly string[] => {
  let said = '';
  const sink = {
    isTTY: columns !== undefined,
    ...(columns !== undefined && { columns }),
    once: () => undefined,
    write(text: string) {
      said += text;
      return true;
    },
  };
  const terminal = createTerminal({ stdin: {}, stdout: sink, stderr: sink, language: 'es', noColour: true });
  printChangesHead(terminal);
  printChange(terminal, EVENT, { person: (text: string) => text } as Mask);
  return said.split('\n');
};

test.each([[undefined], [80], [96], [120]])('in %s columns every value stands below its title', (columns) => {
  const lines = shownAt(columns);
  const head = lines.find((line) => line.includes('Antes'))!;
  const endOf = (line: string, text: string): number => line.indexOf(text) + text.length;
  const row = (text: string): string => lines.find((line) => line.includes(text))!;
  expect(endOf(row(' 24.500.000,00'), '24.500.000,00')).toBe(endOf(head, 'Antes'));
  expect(endOf(row('—'), '—')).toBe(endOf(head, 'Antes'));
  expect(endOf(row('—'), ' 150.000,00')).toBe(endOf(head, 'Después'));
  expect(endOf(row('—'), '+150.000,00')).toBe(endOf(head, 'Diferencia'));
  expect(row('Calle 100').trim()).toBe('Calle 100 # 12-34, apartamento 501 → Carrera 7 # 1-2');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns ?? 108);
});
