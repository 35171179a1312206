import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { PageEvent, PageIssue, TaskView } from '../api.js';
import { StepFooter } from './frame.js';
import { Issues, Table, Working } from './parts.js';
import { foldText } from './picker.js';
import { type ScreenProps, taskOf } from './screen.js';
import { call, eventsNamed, refusalOf, useTask } from './server.js';
import { count, readingText, t } from './words.js';

interface Answer {
  readonly value: string;
  readonly title: string;
  readonly group?: string;
  readonly reason?: string;
  readonly score?: number;
  /** Column that already fills this field. */
  readonly takenBy?: string;
  readonly effect?: { readonly about: string };
}

/** Column of a joint question. */
interface Member {
  readonly id: string;
  /** Name that the answer uses to except the column. */
  readonly name: string;
  readonly label: string;
  readonly samples: readonly Sample[];
  /** Meaning of the column if the answer is yes. */
  readonly answer: Answer;
}

interface Sample {
  readonly cell: string;
  readonly text: string;
}

interface QuestionEvent extends PageEvent {
  readonly id: string;
  readonly title: string;
  readonly why: string | null;
  readonly samples: readonly Sample[];
  readonly answers: readonly Answer[];
  readonly likely: number;
  readonly default: string | null;
  readonly free: boolean;
  /** Columns of a joint question; empty for other questions. */
  readonly each: readonly Member[];
}

interface LabelEvent extends PageEvent {
  readonly id: string;
  readonly sheet: string | null;
  readonly cell: string;
  readonly key: string;
  readonly state: 'decided' | 'open' | 'ignored';
  readonly means: string | null;
}

/** Inspects the files if no inspection exists; each answer starts another one. */
export function useInspection({ upload, reload }: ScreenProps): {
  readonly task: TaskView | undefined;
  readonly events: readonly PageEvent[];
  readonly busy: boolean;
  readonly issues: readonly PageIssue[];
  answer(id: string, value: string): Promise<void>;
} {
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const [starting, setStarting] = useState(false);
  const { task, events } = useTask(taskOf(upload, 'inspect')?.id);
  // The previous result stays visible while a new inspection runs.
  const latest = useRef<readonly PageEvent[]>([]);
  if (task?.state === 'ended' && task.failure.length === 0) latest.current = events;
  const start = async (once: boolean): Promise<void> => {
    try {
      await call('POST', `/uploads/${upload.id}/tasks/inspect`, { once });
    } catch (error) {
      setIssues(refusalOf(error));
    }
    await reload();
  };
  const isDue = taskOf(upload, 'inspect') === undefined && upload.files.length > 0;
  useEffect(() => {
    latest.current = [];
    if (isDue) void start(true);
  }, [upload.id, isDue]);
  return {
    task,
    events: task?.state === 'ended' && task.failure.length === 0 ? events : latest.current,
    busy: starting || task?.state !== 'ended',
    issues: [...issues, ...(task?.failure ?? [])],
    async answer(id, value) {
      setIssues([]);
      setStarting(true);
      try {
        await call('PUT', `/uploads/${upload.id}/answers`, { [id]: value });
        await start(false);
      } catch (error) {
        setIssues(refusalOf(error));
      } finally {
        setStarting(false);
      }
    },
  };
}

/** Asks for the columns that are not certain, best answer first, and lists the others folded. */
export function Columns(props: ScreenProps) {
  const { upload } = props;
  const { task, events, busy, issues, answer } = useInspection(props);
  const questions = eventsNamed<QuestionEvent>(events, 'question');
  const labels = eventsNamed<LabelEvent>(events, 'label');
  const decided = labels.filter(({ state }) => state === 'decided');
  const ignored = labels.filter(({ state }) => state === 'ignored');
  const given = Object.entries(upload.answers).filter(([, value]) => value !== '');
  const isRead = events.length > 0;
  return (
    <>
      <h1>{t('columnsTitle')}</h1>
      <Issues issues={issues} />
      {busy && <Working task={task} />}
      {isRead && (
        <>
          <p class={questions.length === 0 ? 'notice good' : 'notice'} role="status">
            {questions.length === 0 ? t('noQuestions') : t('questionsLeft', { count: questions.length })}
          </p>
          <div class="questions" aria-busy={busy}>
            {questions.map((question) => {
              const Form = question.each.length > 0 ? JointQuestion : Question;
              return <Form key={question.id} question={question} disabled={busy} answer={answer} />;
            })}
          </div>
          {given.length > 0 && (
            <details>
              <summary>{t('answered', { count: given.length })}</summary>
              <ul class="given">
                {given.map(([id, value]) => (
                  <li key={id}>
                    <span>{answerText(id, value, labels)}</span>
                    <button type="button" class="plain" disabled={busy} onClick={() => void answer(id, '')}>
                      {t('undo')}
                    </button>
                  </li>
                ))}
              </ul>
            </details>
          )}
          <LabelList title={t('recognised', { count: count(decided.length) })} labels={decided} />
          <LabelList title={t('declined', { count: count(ignored.length) })} labels={ignored} />
        </>
      )}
      <StepFooter
        upload={upload}
        step="data"
        back="files"
        reason={
          busy || !isRead
            ? t('whyBusy')
            : questions.length > 0
              ? t('whyUndecided', { count: questions.length })
              : undefined
        }
        progress={
          isRead
            ? {
                done: labels.filter(({ state }) => state !== 'open').length,
                total: labels.length,
                text: t('decidedColumns'),
              }
            : undefined
        }
      />
    </>
  );
}

/** Formats a given answer about a column, or about how cells are read. */
function answerText(id: string, value: string, labels: readonly LabelEvent[]): string {
  const label = labels.find((candidate) => candidate.id === id);
  return label === undefined ? (readingText(id, value) ?? `${id}: ${value}`) : `${label.key}: ${value}`;
}

function LabelList({ title, labels }: { readonly title: string; readonly labels: readonly LabelEvent[] }) {
  if (labels.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <Table head={[t('column'), t('means')]}>
        {labels.map(({ id, sheet, cell, key, means }) => (
          <tr key={id}>
            <td>
              {key} <span class="hint">{[sheet, cell].filter(Boolean).join('!')}</span>
            </td>
            <td>{means === 'ignore' || means === null ? t('notUsed') : means}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

interface QuestionProps {
  readonly question: QuestionEvent;
  readonly disabled: boolean;
  answer(id: string, value: string): Promise<void>;
}

function Question({ question, disabled, answer }: QuestionProps) {
  const { id, title, why, samples, answers, likely, free } = question;
  // An uncertain answer is not preselected.
  const [chosen, setChosen] = useState(question.default ?? '');
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const first = useMemo(() => {
    const likelyAnswers = answers.slice(0, Math.max(likely, 1));
    return [
      ...likelyAnswers.filter(({ takenBy }) => !takenBy),
      ...likelyAnswers.filter(({ takenBy }) => takenBy),
    ];
  }, [answers, likely]);
  const hint = useId();
  const isUndecided = chosen === '' && typed === '';
  const rest = useMemo(() => groupsOf(answers.slice(first.length), search), [answers, search]);
  const isAmongFirst = first.some(({ value }) => value === chosen);
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isUndecided) void answer(id, typed === '' ? chosen : typed);
      }}
    >
      <fieldset disabled={disabled}>
        <legend>{title}</legend>
        {why !== null && <p class="hint">{why}</p>}
        {samples.length > 0 && (
          <p class="samples">
            <span class="hint">{t('samples')}: </span>
            {samples.slice(0, 3).map(({ cell, text }) => (
              <span key={cell} class="sample" title={cell}>
                {text}
              </span>
            ))}
          </p>
        )}
        <div class="choices">
          {[...first, ...(isAmongFirst ? [] : answers.filter(({ value }) => value === chosen))].map(
            (choice) => (
              <Choice key={choice.value} name={id} answer={choice} chosen={chosen} choose={setChosen} />
            ),
          )}
        </div>
        {answers.length > first.length && (
          <details class="all">
            <summary>{t('allAnswers')}</summary>
            <label class="field">
              {t('search')}
              <input
                type="search"
                value={search}
                onInput={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            </label>
            <div class="scroll choices">
              {[...rest].map(([group, list]) => (
                <div key={group} role="group" aria-label={group}>
                  <p class="group">{group}</p>
                  {list.map((choice) => (
                    <Choice
                      key={choice.value}
                      name={`${id} all`}
                      answer={choice}
                      chosen={chosen}
                      choose={setChosen}
                    />
                  ))}
                </div>
              ))}
            </div>
          </details>
        )}
        {free && (
          <label class="field">
            {t('freeAnswer')}
            <input value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
          </label>
        )}
        <button type="submit" class="primary" aria-disabled={isUndecided} aria-describedby={hint}>
          {t('accept')}
        </button>{' '}
        <span id={hint} class="hint">
          {isUndecided ? t('notDecided') : ''}
        </span>
      </fieldset>
    </form>
  );
}

/** Asks about several columns at once; those that are unticked are asked about one by one afterwards. */
function JointQuestion({ question: { id, title, answers, each }, disabled, answer }: QuestionProps) {
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [all] = answers as [Answer];
  const tick = (name: string, isIn: boolean): void =>
    setExcluded(
      (before) => new Set(isIn ? [...before].filter((member) => member !== name) : [...before, name]),
    );
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void answer(id, excluded.size === 0 ? all.value : [...excluded].join(','));
      }}
    >
      <fieldset disabled={disabled}>
        <legend>{title}</legend>
        <p class="hint">{t('untick')}</p>
        <div class="scroll choices">
          {each.map(({ id: member, name, label, samples, answer: { title: means, effect } }) => (
            <label key={member} class="choice">
              <input
                type="checkbox"
                checked={!excluded.has(name)}
                onChange={({ currentTarget }) => tick(name, currentTarget.checked)}
              />
              <span>
                <span class="letter">{name}</span> {label} → <strong>{means}</strong>
                {samples.slice(0, 3).map(({ cell, text }) => (
                  <span key={cell} class="sample" title={cell}>
                    {text}
                  </span>
                ))}
                {effect !== undefined && <span class="effect">{effect.about}</span>}
              </span>
            </label>
          ))}
        </div>
        <p role="status">
          {t('ticked', { count: count(each.length - excluded.size), of: count(each.length) })}
          {excluded.size === 0 && all.effect !== undefined && <span class="effect">{all.effect.about}</span>}
        </p>
        <button type="submit" class="primary">
          {t('accept')}
        </button>
      </fieldset>
    </form>
  );
}

function groupsOf(answers: readonly Answer[], search: string): ReadonlyMap<string, readonly Answer[]> {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  const matches = answers.filter(({ title, group = '', value }) =>
    words.every((word) => foldText(`${title} ${group} ${value}`).includes(word)),
  );
  const groups = new Map<string, Answer[]>();
  for (const match of matches) {
    const group = match.group ?? '';
    groups.set(group, [...(groups.get(group) ?? []), match]);
  }
  return groups;
}

interface ChoiceProps {
  readonly name: string;
  readonly answer: Answer;
  readonly chosen: string;
  choose(value: string): void;
}

function Choice({ name, answer, chosen, choose }: ChoiceProps) {
  const { value, title, group, reason, effect } = answer;
  return (
    <label class="choice">
      <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} />
      <span>
        {title}
        {group !== undefined && <span class="hint"> · {group}</span>}
        {reason !== undefined && <span class="hint"> · {reason}</span>}
        {effect !== undefined && <span class="effect">{effect.about}</span>}
      </span>
    </label>
  );
}
