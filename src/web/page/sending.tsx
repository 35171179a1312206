import { useEffect, useState } from 'preact/hooks';
import type { ActName, ActView, PageEvent, PageIssue } from '../api.js';
import { Asked, Figure, Issues } from './parts.js';
import { go } from './place.js';
import { actOf, type ScreenProps } from './screen.js';
import { call, Refused, useAct } from './server.js';
import { count, t } from './words.js';

interface Figures extends PageEvent {
  readonly company: string;
  readonly url: string;
  readonly environment: string;
  readonly planned: number;
  readonly totals: readonly { readonly key: string; readonly name: string; readonly amount: string }[];
  readonly earlier: number;
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** What is about to happen, the yes to it, and how it goes. */
export function Sending({ upload, reload }: ScreenProps) {
  const name: ActName = 'send';
  const known = actOf(upload, name);
  const { act, events, lost } = useAct(known?.id);
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  useEffect(() => {
    if (known !== undefined) return;
    void call('POST', `/uploads/${upload.id}/acts/${name}`, {})
      .catch((error: unknown) => {
        if (error instanceof Refused) setRefused(error.issues);
      })
      .then(reload);
  }, [upload.id]);
  return (
    <>
      <h1>{t(act?.run == null ? 'confirmTitle' : 'sendingTitle')}</h1>
      <Issues issues={refused} />
      {lost && act?.state !== 'ended' && (
        <p class="notice error" role="alert">
          {t('offline')}
        </p>
      )}
      <SendingAct act={act} events={events} />
      {act?.state === 'ended' && (
        <div class="buttons forward">
          <button type="button" onClick={() => go('upload', upload.id, 'review')}>
            {t('back')}
          </button>
          {act.run !== null && (
            <button type="button" class="primary" onClick={() => go('upload', upload.id, 'result')}>
              {t('next')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** A run on its way: figures, questions, progress, and what is said. */
export function SendingAct({
  act,
  events,
}: {
  readonly act: ActView | undefined;
  readonly events: readonly PageEvent[];
}) {
  const figures = events.findLast(({ event }) => event === 'figures') as Figures | undefined;
  const said = events.filter(({ event }) => event === 'message' || event === 'remark' || event === 'stopped');
  if (act === undefined) return <p role="status">{t('preparing')}</p>;
  return (
    <>
      <Issues issues={act.failure} />
      {figures !== undefined && <Plan figures={figures} />}
      {act.pending !== null && <Asked key={act.pending.id} act={act.id} pending={act.pending} />}
      {act.state === 'running' && act.pending === null && <Live act={act} />}
      {act.outcome !== null && (
        <p class={`notice ${act.outcome === 'fine' ? 'good' : 'error'}`}>
          {t(`outcome-${act.outcome}` as 'outcome-fine')}
        </p>
      )}
      {said.length > 0 && (
        <details open={act.state === 'running'}>
          <summary>{t('sayings')}</summary>
          <ul class="sayings">
            {said.map((one, at) => (
              <li key={at}>{String(one['text'] ?? `${one['message']} ${one['fix']}`)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Plan({ figures }: { readonly figures: Figures }) {
  const { company, environment, url, planned, totals, earlier, blocked, errors, warnings } = figures;
  return (
    <dl class="accounts plan">
      <Figure name={t('company')}>{company}</Figure>
      <Figure name={t('environment')}>
        <span class={environment === 'production' ? 'badge final' : 'badge'}>
          {t(environment === 'production' ? 'productionEnvironment' : 'testEnvironment')}
        </span>
      </Figure>
      <Figure name={t('service')}>{url}</Figure>
      <Figure name={t('toSend')}>{count(planned)}</Figure>
      {totals.map(({ key, name, amount }) => (
        <Figure key={key} name={name}>
          {amount}
        </Figure>
      ))}
      {earlier > 0 && <Figure name={t('earlier')}>{count(earlier)}</Figure>}
      {blocked > 0 && <Figure name={t('blocked')}>{count(blocked)}</Figure>}
      {errors > 0 && <Figure name={t('errors')}>{count(errors)}</Figure>}
      {warnings > 0 && <Figure name={t('warnings')}>{count(warnings)}</Figure>}
    </dl>
  );
}

const MINUTE = 60_000;

function Live({ act }: { readonly act: ActView }) {
  const [stopped, setStopped] = useState(false);
  const { progress } = act;
  const passed = progress === null ? 0 : Date.now() - progress.since;
  const perMinute =
    progress === null || passed < 2_000 ? 0 : ((progress.done - progress.before) * MINUTE) / passed;
  const left =
    progress === null || progress.total === null || perMinute <= 0
      ? undefined
      : Math.ceil(((progress.total - progress.done) / perMinute) * 60);
  return (
    <section class="live" aria-label={t('sendingTitle')}>
      <p role="status">{progress?.text ?? t('preparing')}</p>
      {progress !== null && progress.total !== null && (
        <>
          <progress value={progress.done} max={progress.total} aria-label={progress.text} />
          <p class="figure">
            {t('progress', { done: count(progress.done), total: count(progress.total) })}
            {perMinute > 0 && ` · ${t('rate', { rate: count(Math.round(perMinute)) })}`}
            {left !== undefined && ` · ${t('timeLeft', { time: duration(left) })}`}
          </p>
        </>
      )}
      <p class="hint">{t('closeTab')}</p>
      <button
        type="button"
        onClick={() => {
          setStopped(true);
          void call('POST', `/act/${act.id}/stop`);
        }}
      >
        {t(stopped ? 'stopNow' : 'stop')}
      </button>
    </section>
  );
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
