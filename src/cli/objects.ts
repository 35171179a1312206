import type { AppEvent } from '../app/events.js';
import { type Language, paramOf } from '../core/issue.js';
import { word } from '../messages/wording.js';
import { ruleEntry } from '../schema/rule-data.js';
import { accountsObject } from './accounts.js';
import { changeObject } from './changes.js';
import { inspectionObjects, questionObject } from './inspection.js';
import { issueEvent } from './issue-printer.js';
import type { Mask } from './mask.js';

type EventOf<Name extends AppEvent['event']> = Extract<AppEvent, { event: Name }>;

/** The objects of `--json` that an event comes to, one a line; undefined for what is said to people all the same. */
export function objectsOf(event: AppEvent, language: Language, mask: Mask): readonly object[] | undefined {
  switch (event.event) {
    case 'message':
      return event.repeats ? [] : undefined;
    case 'issues-end':
    case 'assumed':
    case 'accounts':
    case 'inspection':
      return [];
    case 'remark':
    case 'stopped':
    case 'figures':
    case 'mail-plan':
    case 'setup-plan':
    case 'begins':
    case 'progress':
    case 'ends':
    case 'text':
    case 'value':
      return undefined;
    case 'issue':
      return [issueEvent(mask.issue(event.issue, event.about, event.personal), language, ruleEntry)];
    case 'document':
      return [documentObject(event, mask)];
    case 'outcome':
      return [outcomeObject(event, language, mask)];
    case 'change':
      return [changeObject(event, mask)];
    case 'run':
      return [runObject(event)];
    case 'remembered':
      return [event];
    case 'answers':
      return event.questions.map(questionObject);
    case 'proposal':
      return inspectionObjects(event.inspection, event.written);
    case 'code':
      return [codeObject(event, language)];
    case 'catalogue': {
      const { event: name, origin, ...rest } = event;
      return [{ event: name, ...rest, ...origin }];
    }
    case 'catalogue-rows':
      return [
        { event: 'catalogue', name: event.name, ...event.origin },
        ...event.rows.map((row) => ({ event: 'entry', ...row })),
      ];
    case 'catalogue-stored':
      return [{ event: 'catalogue', name: event.name, isNew: event.isNew, ...event.origin }];
    case 'profile-added':
      return [{ ...event, event: 'profile' }];
    case 'profile-shown':
      return [{ event: 'profile', profile: event.profile, file: event.file, ...event.content }];
    case 'preview':
      return [{ ...event, key: mask.person(event.key) }];
    case 'email':
      return [{ ...event, key: mask.person(event.key), to: mask.person(event.to) }];
    case 'summary': {
      if (!('accounts' in event)) return [event];
      const { accounts, event: name, ...more } = event;
      return [{ event: name, ...accountsObject(accounts), ...more }];
    }
    default:
      return [event];
  }
}

/** The document itself is shown where it is what was asked for; of one that went to a file only a hint at the person is. */
function documentObject({ document, numbered }: EventOf<'document'>, mask: Mask): object {
  const shown = numbered === undefined ? mask.person : (text: string) => text;
  return {
    event: 'document',
    sequence: document.sequence,
    key: shown(document.key),
    name: document.name === undefined ? null : shown(document.name),
    schema: document.schema,
    ...(numbered && { document: numbered }),
  };
}

/** A reason is what somebody said, with the cure of that rule. */
function outcomeObject({ outcome, about }: EventOf<'outcome'>, language: Language, mask: Mask): object {
  return {
    event: 'outcome',
    sequence: outcome.sequence,
    key: mask.key(outcome.key, about),
    name: outcome.name === undefined ? null : mask.key(outcome.name, about),
    state: outcome.state,
    number: outcome.number ?? null,
    documentCode: outcome.documentCode ?? null,
    zipKey: outcome.zipKey ?? null,
    attempts: outcome.attempts,
    earlier: outcome.earlier === true,
    file: outcome.place?.file ?? null,
    sheet: outcome.place?.sheet ?? null,
    row: outcome.place?.row ?? null,
    issues: outcome.issues.map(({ code }) => code),
    reasons: outcome.issues.map((issue) => {
      const { message, fix } = word(mask.issue(issue, about), language, ruleEntry);
      const { code, level } = issue;
      return { code, level, rule: paramOf(issue, 'rule') ?? null, message, fix };
    }),
    ...(outcome.settled && { settled: outcome.settled }),
  };
}

function runObject({ run, counts }: EventOf<'run'>): object {
  const { id, state, created, testSet, meta, digest, approval, abandonment, purged } = run;
  return {
    event: 'run',
    run: id,
    state,
    created,
    testSet: testSet ?? null,
    files: meta.inputs.map(({ file }) => file),
    documents: counts,
    ...(state === 'held' && { digest }),
    ...(approval && { approval }),
    ...(abandonment && { abandonment }),
    ...(purged && { purged }),
  };
}

function codeObject({ code, entry }: EventOf<'code'>, language: Language): object {
  const { level, authority, title, message, fix } = entry;
  return {
    code,
    level,
    title: title[language],
    message: message[language],
    fix: fix[language],
    ...(authority && { rules: authority }),
  };
}
