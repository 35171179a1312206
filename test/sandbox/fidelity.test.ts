import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/generated/operations.js';
import { EVENT_RULE_TEXTS } from '../../src/sandbox/events/events.js';
import { FAULT_KINDS, VERDICT_WORDS } from '../../src/sandbox/faults.js';
import { RULE_TEXTS } from '../../src/sandbox/payroll/judge.js';
import { NATIONAL_RULES } from './rips/national-rules.js';

const page = readFileSync(new URL('../../src/sandbox/FIDELITY.md', import.meta.url), 'utf8');

const NAMED = [
  ...Object.keys(OPERATIONS),
  ...FAULT_KINDS.map((kind) => `\`${kind}\``),
  ...VERDICT_WORDS.map((word) => `\`cargue:${word}`),
  ...Object.keys(EVENT_RULE_TEXTS),
  ...NATIONAL_RULES,
  ...Object.keys(RULE_TEXTS).filter((rule) => rule !== 'NIE024'),
];

it.each(NAMED)('FIDELITY.md speaks of %s', (name) => {
  expect(page).toContain(name);
});
