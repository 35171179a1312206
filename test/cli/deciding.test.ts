import { expect, test } from 'vitest';
import type { AppEvent } from '../../src/app/events.js';
import { maskFor } from '../../src/app/mask.js';
import { createRenderer } from '../../src/cli/render.js';
import { screen } from './screen.js';

const EVENTS: readonly AppEvent[] = [
  {
    event: 'change',
    proposed: true,
    change: {
      kind: 'delete',
      key: '52123456',
      name: 'Ana Ruiz Peña',
      number: 'NA7',
      predecessor: { number: 'NOM3' },
      fields: [
        {
          pointer: '/worker/surname',
          titles: ['Apellido'],
          isAmount: false,
          isPersonal: true,
          before: 'Ruizz',
          after: 'Ruiz',
        },
      ],
    },
  } as unknown as AppEvent,
  {
    event: 'difference',
    month: '2026-10',
    key: '79000001',
    name: 'Luis Mora',
    was: '2000000.00',
    is: '2500000.00',
  },
  { event: 'difference', month: '2026-10', key: '79000002', name: 'Eva Gil', was: '1000000.00' },
  { event: 'differences', month: '2026-10', changed: 1, fresh: 0, missing: 1 },
  {
    event: 'issue',
    of: 'journal',
    about: { schemas: ['rips/attention'] },
    issue: {
      code: 'send/patient-differs',
      level: 'warning',
      params: { title: 'Apellido', number: 'RS1', before: '2026-10-01-1' },
      place: { pointer: '/patient/last_name' },
      value: 'Cardona → Cardenas',
      documentKey: '1020304050',
    },
  } as unknown as AppEvent,
];
const NAMES = [
  '52123456',
  'Ana Ruiz Peña',
  'Ruizz',
  'Luis Mora',
  '2.000.000,00',
  'Eva Gil',
  'Cardona → Cardenas',
];

test.each([
  ['where a person decides names and amounts are in full', true, NAMES],
  ['in a log they are masked', false, []],
])('%s', (_, live, shown) => {
  const there = screen({ live });
  const tell = createRenderer(there.terminal, { json: false, mask: maskFor(false), command: (next) => next });
  for (const event of EVENTS) tell(event);
  const text = there.said().join('\n');
  expect(NAMES.filter((name) => text.includes(name))).toEqual(shown);
  expect(text).toContain('NOM3');
});
