import { expect, test } from 'vitest';
import { createIssue } from '../../src/send/create-issue.js';
import { stageAt } from '../../src/send/stage.js';
import {
  type ExpectedDocument,
  nextStep,
  type Position,
  type RecoveryStrategy,
  type Step,
  transition,
} from '../../src/send/state-machine.js';
import type { Verdict } from '../../src/send/verdict.js';
import { type Issue, type IssueCode, issueOf } from '../../src/toolkit/core/issue.js';

/** An issue of that code, whatever it should say. */
const bare = (code: IssueCode): Issue => issueOf(code, 'error', {});

const PLANNED: Position = { state: 'planned', doubt: false };
const DOUBT: Position = { state: 'unknown', doubt: true };
const ASKABLE: Position = { ...DOUBT, documentCode: 'c' };
const PENDING: Position = { state: 'pending', doubt: false, zipKey: 'z', documentCode: 'claim' };
const PENDING_DOUBT: Position = { ...PENDING, doubt: true };

const accepted: Verdict = { kind: 'accepted', documentCode: 'cune', shown: {}, issues: [] };
const foreign: Verdict = { ...accepted, shown: { numbers: ['other'] } };
const stranger: Verdict = { ...accepted, shown: { employee: 'other' } };
const shownOurs: Verdict = { ...accepted, shown: { employee: 'ours' } };
const theirs: Verdict = { ...accepted, documentCode: 'theirs' };
const rejected = (...rules: string[]): Verdict => ({
  kind: 'rejected',
  rules,
  shown: {},
  issues: [bare('remote/rejected')],
});
const keylessAccepted: Verdict = { kind: 'accepted', shown: {}, issues: [] };
const contradictory: Verdict = {
  kind: 'unknown',
  issue: bare('remote/contradictory'),
  documentCode: 'claim',
};
/** Accepted by the poll, with the code that the receipt named. */
const ACCEPTED_CLAIM: Position = {
  ...DOUBT,
  documentCode: 'claim',
  zipKey: 'z',
  claimed: true,
  isAccepted: true,
};
const before: Verdict = { kind: 'received-before', documentCode: 'k', shown: {}, text: '' };
const keyless: Verdict = { kind: 'received-before', shown: {}, text: '' };
const lost: Verdict = { kind: 'unknown', issue: bare('send/no-answer') };
const claimed: Verdict = { kind: 'unknown', issue: bare('remote/no-verdict'), documentCode: 'claim' };
const down: Verdict = { kind: 'refused-for-all', issue: bare('send/unreachable'), passing: true };
const testSet: Verdict = { kind: 'unknown', issue: bare('remote/test-set') };
const throttled: Verdict = { kind: 'throttled' };
const receipt: Verdict = { kind: 'pending', zipKey: 'z2', documentCode: 'claim2', shown: {} };
const wrongToken: Verdict = { kind: 'unknown', issue: bare('send/unreadable-answer'), cause: down as never };
/** Somebody said that it is there already, in this process. */
const HEARD: Position = { ...ASKABLE, shown: {} };
const other = (verdict: Verdict): Verdict => ({ ...verdict, shown: { numbers: ['other'] } }) as Verdict;

/** state [doubt] [code] [zip] / again / issue codes */
const CASES: readonly [from: Position, step: Step, verdict: Verdict, to: string][] = [
  [PLANNED, 'send', accepted, 'accepted code=cune / no /'],
  [PLANNED, 'send', rejected('NIE187'), 'rejected / no / remote/rejected'],
  [PLANNED, 'send', receipt, 'pending code=claim2 zip=z2 / no /'],
  [
    PLANNED,
    'send',
    { ...receipt, documentCode: undefined } as never,
    'unknown doubt / now / send/landed-unconfirmed',
  ],
  [PLANNED, 'send', lost, 'unknown doubt / later / send/no-answer'],
  [PLANNED, 'send', claimed, 'unknown doubt code=claim / later / remote/no-verdict'],
  [
    PLANNED,
    'send',
    { kind: 'unknown', issue: createIssue('send/interrupted') },
    'unknown doubt / no / send/interrupted',
  ],
  // The service itself said no before it did anything.
  [PLANNED, 'send', down, 'planned / now / send/unreachable'],
  [PLANNED, 'send', throttled, 'planned / now /'],
  [PLANNED, 'send', { kind: 'not-sent' }, 'planned / no /'],
  [PLANNED, 'send', { kind: 'refused', issues: [bare('remote/refused')] }, 'rejected / no / remote/refused'],
  // Anything else may have said it.
  [PLANNED, 'send', wrongToken, 'unknown doubt / now / send/unreadable-answer'],
  [DOUBT, 'send', accepted, 'accepted doubt code=cune / no /'],
  [DOUBT, 'send', down, 'unknown doubt / now / send/unreachable'],
  [DOUBT, 'send', rejected('NIE199'), 'unknown doubt / no / send/echo-unconfirmed'],
  [DOUBT, 'send', rejected('NIE199', 'NIE187'), 'rejected doubt / no / remote/rejected'],
  [DOUBT, 'send', receipt, 'pending doubt code=claim2 zip=z2 / no /'],

  // Rule 90 and "already sent" are questions, whatever was tried before, and whatever they show.
  [PLANNED, 'send', before, 'unknown doubt code=k / now / send/landed-unconfirmed'],
  [DOUBT, 'send', before, 'unknown doubt code=k / now / send/landed-unconfirmed'],
  [
    PLANNED,
    'send',
    { ...before, shown: { employee: 'other' } } as Verdict,
    'unknown doubt code=k / now / send/landed-unconfirmed',
  ],
  [PLANNED, 'send', keyless, 'unknown doubt / no / send/landed-unconfirmed'],
  [DOUBT, 'send', keyless, 'unknown doubt / no / send/landed-unconfirmed'],
  [PENDING, 'poll', before, 'unknown doubt code=k / now / send/landed-unconfirmed'],
  [PENDING_DOUBT, 'poll', before, 'unknown doubt code=k / now / send/landed-unconfirmed'],
  [ASKABLE, 'ask', before, 'unknown doubt code=k / now / send/landed-unconfirmed'],
  [
    ASKABLE,
    'ask',
    { ...before, documentCode: 'c' } as Verdict,
    'unknown doubt code=c / no / send/landed-unconfirmed',
  ],

  // What DIAN has under our number is ours only where that is shown or proven.
  [HEARD, 'ask', { ...shownOurs, documentCode: 'c' } as Verdict, 'accepted doubt code=c / no /'],
  [
    { ...HEARD, documentCode: 'proven' },
    'ask',
    { ...accepted, documentCode: 'proven' } as Verdict,
    'accepted doubt code=proven / no /',
  ],
  [
    { ...HEARD, shown: { employee: 'ours' } },
    'ask',
    { ...accepted, documentCode: 'c' } as Verdict,
    'accepted doubt code=c / no /',
  ],
  [
    HEARD,
    'ask',
    { ...accepted, documentCode: 'c' } as Verdict,
    'unknown doubt code=c / no / send/landed-unconfirmed',
  ],
  [
    ASKABLE,
    'ask',
    { ...accepted, documentCode: 'c' } as Verdict,
    'unknown doubt code=c / now send / send/landed-unconfirmed',
  ],
  [
    { ...ASKABLE, claimed: true },
    'ask',
    { ...accepted, documentCode: 'c' } as Verdict,
    'accepted doubt code=c / no /',
  ],
  [HEARD, 'ask', { ...stranger, documentCode: 'c' } as Verdict, 'rejected doubt / no / send/number-taken'],
  [
    { ...HEARD, shown: { employee: 'other' } },
    'ask',
    { ...accepted, documentCode: 'c' } as Verdict,
    'rejected doubt / no / send/number-taken',
  ],
  [
    { ...HEARD, shown: { employee: 'other' } },
    'ask',
    { kind: 'not-found' },
    'unknown doubt / later / send/landed-unconfirmed',
  ],

  // An answer that is about another document says nothing of ours.
  [PLANNED, 'send', foreign, 'unknown doubt / now / send/answer-of-another'],
  [PLANNED, 'send', stranger, 'unknown doubt / now / send/answer-of-another'],
  [PLANNED, 'send', theirs, 'unknown doubt / now / send/answer-of-another'],
  [PLANNED, 'send', other(rejected('NIE187')), 'unknown doubt / now / send/answer-of-another'],
  [PLANNED, 'send', other(receipt), 'unknown doubt / now / send/answer-of-another'],
  [
    PLANNED,
    'send',
    { ...receipt, documentCode: 'theirs' } as Verdict,
    'unknown doubt / now / send/answer-of-another',
  ],
  [DOUBT, 'send', other(before), 'unknown doubt / now / send/answer-of-another'],
  [
    DOUBT,
    'send',
    { ...before, documentCode: 'theirs' } as Verdict,
    'unknown doubt / now / send/answer-of-another',
  ],
  [
    ASKABLE,
    'ask',
    { ...foreign, documentCode: 'c' } as Verdict,
    'unknown doubt / now / send/answer-of-another',
  ],
  [ASKABLE, 'ask', accepted, 'same / later /'],
  [PENDING, 'poll', foreign, 'unknown doubt code=claim zip=z / now / send/answer-of-another'],
  [
    PENDING,
    'poll',
    other(rejected('NIE187')),
    'unknown doubt code=claim zip=z / now / send/answer-of-another',
  ],
  [{ ...DOUBT, zipKey: 'z' }, 'poll', foreign, 'unknown doubt / now / send/answer-of-another'],

  [ASKABLE, 'ask', rejected('NIE187'), 'rejected doubt / no / remote/rejected'],
  [ASKABLE, 'ask', { kind: 'not-found' }, 'unknown doubt / later / send/landed-unconfirmed'],
  [ASKABLE, 'ask', { kind: 'refused', issues: [bare('remote/refused')] }, 'same / later /'],
  [ASKABLE, 'ask', lost, 'same / later /'],
  [ASKABLE, 'ask', down, 'same / now /'],
  [ASKABLE, 'ask', { kind: 'waiting' }, 'same / later /'],
  [PENDING, 'poll', accepted, 'accepted code=cune zip=z / no /'],
  // A code that only the service named is asked about before it counts.
  [PENDING, 'poll', keylessAccepted, 'unknown doubt code=claim zip=z / now ask / send/landed-unconfirmed'],
  [
    PENDING,
    'poll',
    { ...keylessAccepted, claimed: 'c' } as Verdict,
    'unknown doubt code=c zip=z / now ask / send/landed-unconfirmed',
  ],
  [
    PLANNED,
    'send',
    { ...keylessAccepted, claimed: 'c' } as Verdict,
    'unknown doubt code=c / now ask / send/landed-unconfirmed',
  ],
  // Of an acceptance without any code nothing shows whose it is.
  [PLANNED, 'send', keylessAccepted, 'unknown doubt / now / send/landed-unconfirmed'],
  [{ ...PENDING, documentCode: undefined } as never, 'poll', keylessAccepted, 'same / no /'],
  [DOUBT, 'ask', { ...shownOurs, isConfirmed: true } as Verdict, 'accepted code=cune / no /'],
  [
    ACCEPTED_CLAIM,
    'ask',
    { ...accepted, documentCode: 'claim' } as Verdict,
    'accepted doubt code=claim zip=z / no /',
  ],
  [ACCEPTED_CLAIM, 'ask', keylessAccepted, 'accepted doubt code=claim zip=z / no /'],
  [ACCEPTED_CLAIM, 'ask', accepted, 'same / later /'],
  [ACCEPTED_CLAIM, 'ask', { kind: 'not-found' }, 'unknown doubt zip=z / later / send/landed-unconfirmed'],
  [
    ACCEPTED_CLAIM,
    'ask',
    { ...stranger, documentCode: 'claim' } as Verdict,
    'unknown doubt zip=z / now / send/answer-of-another',
  ],
  [PENDING, 'poll', contradictory, 'unknown doubt code=claim zip=z / no / remote/contradictory'],
  [PLANNED, 'send', contradictory, 'unknown doubt code=claim / later / remote/contradictory'],
  [ASKABLE, 'ask', contradictory, 'same / later /'],
  [PENDING, 'poll', rejected('NIE199'), 'rejected zip=z / no / remote/rejected'],
  [PENDING, 'poll', { kind: 'waiting' }, 'same / no /'],
  [PENDING, 'poll', { kind: 'not-found' }, 'same / no /'],
  [PENDING, 'poll', lost, 'same / no /'],
  [PENDING, 'poll', down, 'same / no /'],
  [PENDING, 'poll', testSet, 'unknown doubt zip=z / no / remote/test-set'],
  [{ ...DOUBT, zipKey: 'z' }, 'poll', { kind: 'waiting' }, 'pending doubt zip=z / no /'],
];

const OURS: ExpectedDocument = {
  number: 'NOM7',
  echoRules: ['NIE199'],
  fit: ({ numbers = [], employee }, code) => {
    if (numbers.includes('other')) return 'other-number';
    if (employee === 'other') return 'other-content';
    return employee === 'ours' || code === 'proven' ? 'ours' : 'open';
  },
  isOfAnother: (code) => code === 'theirs',
};

test.each(CASES)('%o asked by %s, answered %o → %s', (from, step, verdict, expected) => {
  const { to, issues, again, step: next } = transition(from, step, verdict, OURS);
  const where =
    to === undefined
      ? 'same'
      : [
          to.state,
          to.doubt && 'doubt',
          to.documentCode && `code=${to.documentCode}`,
          to.zipKey && `zip=${to.zipKey}`,
        ]
          .filter(Boolean)
          .join(' ');
  const then = [again, next].filter(Boolean).join(' ');
  expect(`${where} / ${then} / ${issues.map(({ code }) => code).join(' ')}`.trim()).toBe(expected);
});

test.each([
  [PLANNED, 'send'],
  [DOUBT, 'send'],
  [ASKABLE, 'ask'],
  [PENDING, 'poll'],
  [{ ...DOUBT, zipKey: 'z' }, 'poll'],
] as const)('%o: next is %s', (position, step) => expect(nextStep(position)).toBe(step));

const MADE: Position = { ...PLANNED, made: { patient: 41 } };
const MADE_DOUBT: Position = { ...DOUBT, made: { patient: 41 } };
const made: Verdict = { kind: 'made', id: 90 };
const then: Verdict = {
  kind: 'then',
  step: 'ask',
  question: { operation: 'getPatient', request: {}, read: () => made },
};
const steps: Verdict = { kind: 'unclear', issue: bare('send/landed-unconfirmed') };

/** A stage of several: state [doubt] ids / again [next step] / issue codes */
const STAGES: readonly [asks: RecoveryStrategy['asks'], lost: boolean, Position, Step, Verdict, string][] = [
  ['never', true, MADE, 'send', made, 'planned patient=41 visit=90 / on /'],
  ['always', false, MADE_DOUBT, 'ask', made, 'planned patient=41 visit=90 / on /'],
  ['first', false, PLANNED, 'ask', then, 'same / on /'],
  ['first', false, PLANNED, 'ask', { kind: 'absent' }, 'same / on send /'],
  ['always', false, MADE_DOUBT, 'ask', { kind: 'absent' }, 'same / on send /'],
  ['always', false, MADE_DOUBT, 'ask', steps, 'unknown doubt patient=41 / no / send/landed-unconfirmed'],
  ['first', false, PLANNED, 'ask', lost, 'planned / later / send/no-answer'],
  ['first', false, DOUBT, 'ask', lost, 'same / later /'],
  ['always', false, MADE, 'send', lost, 'unknown doubt patient=41 / later / send/no-answer'],
  ['never', true, MADE, 'send', lost, 'unknown doubt patient=41 / no / send/interrupted'],
  ['never', true, MADE, 'send', down, 'planned patient=41 / now / send/unreachable'],
  ['never', true, MADE, 'send', throttled, 'planned patient=41 / now /'],
  ['never', true, MADE, 'send', wrongToken, 'unknown doubt patient=41 / no / send/interrupted'],
  ['never', true, MADE, 'send', foreign, 'unknown doubt patient=41 / no / send/interrupted'],
  ['never', true, MADE, 'send', theirs, 'unknown doubt patient=41 / no / send/interrupted'],
  ['always', false, PLANNED, 'send', foreign, 'unknown doubt / later / send/answer-of-another'],
  ['always', false, PLANNED, 'send', theirs, 'unknown doubt / later / send/answer-of-another'],
  // A refusal that asking has to confirm.
  [
    'always',
    false,
    PLANNED,
    'send',
    { ...then, unknownIssue: bare('remote/refused') } as Verdict,
    'unknown doubt / on / remote/refused',
  ],
  [
    'always',
    false,
    DOUBT,
    'ask',
    { kind: 'refused', issues: [bare('remote/refused')], confirmed: true },
    'rejected doubt / no / remote/refused',
  ],
  ['never', true, MADE, 'send', accepted, 'accepted patient=41 / no /'],
  ['never', true, MADE, 'send', rejected('RVC061'), 'rejected patient=41 / no / remote/rejected'],
  // Whoever did it: what can be asked about is asked.
  ['always', false, PLANNED, 'send', keyless, 'unknown doubt / now / send/landed-unconfirmed'],
  ['always', false, DOUBT, 'send', keyless, 'unknown doubt / now / send/landed-unconfirmed'],
  ['always', false, DOUBT, 'ask', shownOurs, 'accepted doubt / no /'],
  ['always', false, DOUBT, 'ask', { ...accepted, isConfirmed: true } as Verdict, 'accepted / no /'],
  // A list that does not say of what it is.
  ['always', false, DOUBT, 'ask', accepted, 'same / later /'],
];

test('what was lost without a reason says so in words', () => {
  const bareAnswer = { kind: 'unknown', issue: createIssue('remote/no-verdict', { text: '' }) } as const;
  const steps = createIssue('send/cuv-unknown', { number: 'RS-1', reason: 'aborted' });
  const { issues } = transition(MADE, 'send', bareAnswer, { ...OURS, asks: 'never', lost: steps });
  expect(issues).toMatchObject([{ code: 'send/cuv-unknown', params: { reason: 'no-result' } }]);
});

test.each(STAGES)('asks %s, lost %o: %o asked by %s, answered %o → %s', (asks, last, ...one) => {
  const [from, step, verdict, expected] = one;
  const ours = { ...OURS, asks, stage: 'visit', ...(last && { lost: createIssue('send/interrupted') }) };
  const { to, issues, again, step: next } = transition(from, step, verdict, ours);
  const ids = Object.entries(to?.made ?? {}).map(([stage, id]) => `${stage}=${id}`);
  const where = to === undefined ? ['same'] : [to.state, to.doubt && 'doubt', ...ids].filter(Boolean);
  const codes = issues.map(({ code }) => code);
  expect([...where, '/', again, ...(next ?? '').split(' ').filter(Boolean), '/', ...codes].join(' ')).toBe(
    expected,
  );
});

test.each<[RecoveryStrategy['asks'], boolean, Position, Step | undefined]>([
  ['first', false, PLANNED, 'ask'],
  ['first', false, DOUBT, 'ask'],
  ['always', false, PLANNED, 'send'],
  ['always', false, DOUBT, 'ask'],
  ['never', true, PLANNED, 'send'],
  ['never', true, DOUBT, undefined],
  ['never', false, DOUBT, 'send'],
])('asks %s, lost %o, %o: next is %s', (asks, last, position, step) =>
  expect(nextStep(position, { asks, ...(last && { lost: true }) })).toBe(step),
);

/** Ids of three stages: two of them shown with the document's own number. */
const IDS = {
  made: { patient: 41, visit: 90, document: 12 },
  shownStages: ['patient', 'visit'],
} as const;
const CUV_STEPS = createIssue('send/cuv-unknown', { number: 'RS-1', reason: 'aborted' });
const unproven: Verdict = { kind: 'unproven', issue: bare('send/unreadable-answer') };
const aboutOther: Verdict = { ...lost, isAboutOther: true } as Verdict;

test.each<
  [name: string, from: Position, step: Step, verdict: Verdict, ours: Partial<ExpectedDocument>, to: object]
>([
  [
    'an id that was shown with our number, and that a user gave',
    { ...PLANNED, made: { patient: 41 }, shownStages: ['patient'], settledId: 90 },
    'ask',
    { kind: 'made', id: 90 },
    { stage: 'visit', canReadBack: true },
    { ...PLANNED, made: { patient: 41, visit: 90 }, shownStages: ['patient', 'visit'], settledId: 90 },
  ],
  [
    'an id that was shown with our number, where a user gave another',
    { ...PLANNED, made: { patient: 41 }, shownStages: ['patient'], settledId: 91 },
    'ask',
    { kind: 'made', id: 90 },
    { stage: 'visit', canReadBack: true },
    { ...PLANNED, made: { patient: 41, visit: 90 }, shownStages: ['patient', 'visit'] },
  ],
  [
    'the id of an earlier stage that is not ours',
    { ...PLANNED, ...IDS },
    'ask',
    { kind: 'unproven', issue: bare('send/unreadable-answer'), stage: 'visit' },
    { stage: 'generate', lost: CUV_STEPS, under: 12 },
    { ...DOUBT, made: { patient: 41 }, shownStages: ['patient'] },
  ],
  [
    'an id that is not ours: nothing that hangs on it stays',
    { ...PLANNED, ...IDS },
    'ask',
    unproven,
    { stage: 'visit', canReadBack: true },
    { ...DOUBT, made: { patient: 41 }, shownStages: ['patient'] },
  ],
  [
    'an id that a creation gave without evidence',
    { ...PLANNED, made: { patient: 41 }, shownStages: ['patient'] },
    'send',
    unproven,
    { stage: 'visit', canReadBack: true },
    { ...DOUBT, made: { patient: 41 }, shownStages: ['patient'] },
  ],
  [
    'a result of another: what it was requested under is spent',
    { ...PLANNED, ...IDS },
    'send',
    foreign,
    { stage: 'generate', lost: CUV_STEPS, under: 12 },
    { ...DOUBT, ...IDS, spentIds: [12] },
  ],
  [
    'an answer about something else, after another one',
    { ...PLANNED, ...IDS, spentIds: [7] },
    'send',
    aboutOther,
    { stage: 'generate', lost: CUV_STEPS, under: 12 },
    { ...DOUBT, ...IDS, spentIds: [7, 12] },
  ],
  [
    'a lost answer says nothing of the id',
    { ...PLANNED, ...IDS, spentIds: [7] },
    'send',
    lost,
    { stage: 'generate', lost: CUV_STEPS, under: 12 },
    { ...DOUBT, ...IDS, spentIds: [7] },
  ],
])('%s', (_, from, step, verdict, ours, expected) => {
  const { to, step: next } = transition(from, step, verdict, { ...OURS, ...ours });
  expect(to).toEqual(expected);
  expect(next).toBe(verdict.kind === 'unproven' ? 'ask' : undefined);
});

test.each<[name: string, position: Position, stage: string]>([
  ['nothing made', PLANNED, 'patient'],
  ['an id without evidence', { ...PLANNED, ...IDS }, 'document'],
  ['none with evidence', { ...PLANNED, made: IDS.made }, 'patient'],
  [
    'all with evidence',
    { ...PLANNED, made: IDS.made, shownStages: ['patient', 'visit', 'document'] },
    'generate',
  ],
  ['the last request is in doubt', { ...DOUBT, made: IDS.made }, 'generate'],
  ['a creation is in doubt', { ...DOUBT, made: { patient: 41 } }, 'visit'],
])('%s: the stage under way', (_, position, expected) => {
  const question = (): never => {
    throw new Error('nothing is asked');
  };
  const stages = ['patient', 'visit', 'document', 'generate'].map((name) => ({
    name,
    asks: 'always' as const,
    send: question,
    ...(name !== 'generate' && { readBack: question }),
  }));
  expect(stageAt(stages, position).name).toBe(expected);
});
