import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ActView, PageEvent, PageIssue, UploadView } from '../api.js';
import { Issues, Working } from './parts.js';
import { go } from './place.js';
import { actOf, type ScreenProps } from './screen.js';
import { call, refusalOf, useAct } from './server.js';
import { count, readingText, t } from './words.js';

interface Answer {
  readonly value: string;
  readonly title: string;
  readonly group?: string;
  readonly reason?: string;
  readonly score?: number;
  /** The column that has this field already. */
  readonly takenBy?: string;
  readonly effect?: { readonly about: string };
}

/** A column of a joint question. */
interface Member {
  readonly id: string;
  /** By which an answer names it as an exception. */
  readonly name: string;
  readonly label: string;
  readonly samples: readonly Sample[];
  /** What a yes makes of it. */
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
  /** Of a joint question. */
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

const of = <T extends PageEvent>(events: readonly PageEvent[], name: string): readonly T[] =>
  events.filter(({ event }) => event === name) as readonly T[];

/** The reading of the files, begun when there is none; each answer begins another. */
export function useInspection({ upload, reload }: ScreenProps): {
  readonly act: ActView | undefined;
  readonly events: readonly PageEvent[];
  readonly busy: boolean;
  readonly issues: readonly PageIssue[];
  answer(id: string, value: string): Promise<void>;
} {
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const [starting, setStarting] = useState(false);
  const { act, events } = useAct(actOf(upload, 'inspect')?.id);
  // What was known stays on the screen while an answer is worked in.
  const last = useRef<readonly PageEvent[]>([]);
  if (act?.state === 'ended' && act.failure.length === 0) last.current = events;
  const start = async (once: boolean): Promise<void> => {
    try {
      await call('POST', `/uploads/${upload.id}/acts/inspect`, { once });
    } catch (error) {
      setIssues(refusalOf(error));
    }
    await reload();
  };
  const isDue = actOf(upload, 'inspect') === undefined && upload.files.length > 0;
  useEffect(() => {
    last.current = [];
    if (isDue) void start(true);
  }, [upload.id, isDue]);
  return {
    act,
    events: act?.state === 'ended' && act.failure.length === 0 ? events : last.current,
    busy: starting || act?.state !== 'ended',
    issues: [...issues, ...(act?.failure ?? [])],
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

/** What each column is: what is sure is folded away, the rest is asked, best answer first. */
export function Columns(props: ScreenProps) {
  const { upload } = props;
  const { act, events, busy, issues, answer } = useInspection(props);
  const questions = of<QuestionEvent>(events, 'question');
  const labels = of<LabelEvent>(events, 'label');
  const decided = labels.filter(({ state }) => state === 'decided');
  const ignored = labels.filter(({ state }) => state === 'ignored');
  const given = Object.entries(upload.answers).filter(([, value]) => value !== '');
  const isRead = events.length > 0;
  return (
    <>
      <h1>{t('columnsTitle')}</h1>
      <Issues issues={issues} />
      {busy && <Working act={act} />}
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
      <Forward upload={upload} step="data" disabled={busy || !isRead || questions.length > 0} />
    </>
  );
}

/** An answer that was given, about a column or about how cells are read. */
function answerText(id: string, value: string, labels: readonly LabelEvent[]): string {
  const label = labels.find((one) => one.id === id);
  return label === undefined ? (readingText(id, value) ?? `${id}: ${value}`) : `${label.key}: ${value}`;
}

/** The way to the step before and the one after. */
export function Forward({
  upload,
  step,
  back = 'files',
  disabled,
  submits = false,
}: {
  readonly upload: UploadView;
  readonly step: string;
  readonly back?: string;
  readonly disabled: boolean;
  /** The form around it goes on by itself. */
  readonly submits?: boolean;
}) {
  return (
    <div class="buttons forward">
      <button type="button" onClick={() => go('upload', upload.id, back)}>
        {t('back')}
      </button>
      <button
        type={submits ? 'submit' : 'button'}
        class="primary"
        disabled={disabled}
        onClick={submits ? undefined : () => go('upload', upload.id, step)}
      >
        {t('next')}
      </button>
    </div>
  );
}

function LabelList({ title, labels }: { readonly title: string; readonly labels: readonly LabelEvent[] }) {
  if (labels.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{t('column')}</th>
            <th scope="col">{t('means')}</th>
          </tr>
        </thead>
        <tbody>
          {labels.map(({ id, sheet, cell, key, means }) => (
            <tr key={id}>
              <td>
                {key} <span class="hint">{[sheet, cell].filter(Boolean).join('!')}</span>
              </td>
              <td>{means === 'ignore' || means === null ? t('notUsed') : means}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
  // A doubtful answer is chosen by the person alone.
  const [chosen, setChosen] = useState(question.default ?? '');
  const [typed, setTyped] = useState('');
  const [sought, setSought] = useState('');
  const first = useMemo(() => {
    const shown = answers.slice(0, Math.max(likely, 1));
    return [...shown.filter(({ takenBy }) => !takenBy), ...shown.filter(({ takenBy }) => takenBy)];
  }, [answers, likely]);
  const hint = useId();
  const isUndecided = chosen === '' && typed === '';
  const rest = useMemo(() => groupsOf(answers.slice(first.length), sought), [answers, sought]);
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
          {first.map((one) => (
            <Choice key={one.value} name={id} answer={one} chosen={chosen} choose={setChosen} />
          ))}
          {!isAmongFirst &&
            answers
              .filter(({ value }) => value === chosen)
              .map((one) => (
                <Choice key={one.value} name={id} answer={one} chosen={chosen} choose={setChosen} />
              ))}
        </div>
        {answers.length > first.length && (
          <details class="all">
            <summary>{t('allAnswers')}</summary>
            <label class="field">
              {t('search')}
              <input
                type="search"
                value={sought}
                onInput={({ currentTarget }) => setSought(currentTarget.value)}
              />
            </label>
            <div class="scroll choices">
              {[...rest].map(([group, list]) => (
                <div key={group} role="group" aria-label={group}>
                  <p class="group">{group}</p>
                  {list.map((one) => (
                    <Choice
                      key={one.value}
                      name={`${id} all`}
                      answer={one}
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

/** Columns that are answered alike: those that are ticked at once, each of the others by itself afterwards. */
function JointQuestion({ question: { id, title, answers, each }, disabled, answer }: QuestionProps) {
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const [all] = answers as [Answer];
  const tick = (name: string, isIn: boolean): void =>
    setOut((before) => new Set(isIn ? [...before].filter((one) => one !== name) : [...before, name]));
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void answer(id, out.size === 0 ? all.value : [...out].join(','));
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
                checked={!out.has(name)}
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
          {t('ticked', { count: count(each.length - out.size), of: count(each.length) })}
          {out.size === 0 && all.effect !== undefined && <span class="effect">{all.effect.about}</span>}
        </p>
        <button type="submit" class="primary">
          {t('accept')}
        </button>
      </fieldset>
    </form>
  );
}

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

function groupsOf(answers: readonly Answer[], sought: string): ReadonlyMap<string, readonly Answer[]> {
  const words = folded(sought).split(/\s+/).filter(Boolean);
  const found = answers.filter(({ title, group = '', value }) =>
    words.every((word) => folded(`${title} ${group} ${value}`).includes(word)),
  );
  const groups = new Map<string, Answer[]>();
  for (const one of found) groups.set(one.group ?? '', [...(groups.get(one.group ?? '') ?? []), one]);
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
