import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ActView, PageIssue, Pending } from '../api.js';
import { call } from './server.js';
import { count, t } from './words.js';

/** What went wrong, and how to mend it. */
export function Issues({ issues }: { readonly issues: readonly PageIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <div class="notice error" role="alert">
      {issues.map((issue) => (
        <p key={issue.code + issue.message}>
          {issue.message} {issue.fix}
        </p>
      ))}
    </div>
  );
}

/** How far the work has come; where its end is not known, that it goes on. */
export function Working({ act }: { readonly act: ActView | undefined }) {
  const progress = act?.progress;
  const text = progress?.text ?? t('working');
  return (
    <div class="working" role="status">
      <span>{text}</span>
      {progress != null && progress.total !== null ? (
        <>
          <progress value={progress.done} max={progress.total} aria-label={text} />
          <span class="figure">
            {t('progress', { done: count(progress.done), total: count(progress.total) })}
          </span>
        </>
      ) : (
        <progress aria-label={text} />
      )}
      {progress != null && progress.total === null && progress.done > 0 && (
        <span class="figure">{count(progress.done)}</span>
      )}
    </div>
  );
}

/** What the use case asks, to be answered by a button or by typing. */
export function Asked({ act, pending }: { readonly act: string; readonly pending: Pending }) {
  const [said, setSaid] = useState('');
  const answer = (value: string | boolean): void =>
    void call('POST', `/act/${act}/answer`, { id: pending.id, said: value });
  const type = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    setSaid(currentTarget.value);
  if (pending.kind === 'confirm')
    return (
      <div class="asked" role="group" aria-label={pending.text}>
        <p class="question">{pending.text}</p>
        <div class="buttons">
          <button type="button" class="primary" onClick={() => answer(true)}>
            {t('yes')}
          </button>
          <button type="button" onClick={() => answer(false)}>
            {t('no')}
          </button>
        </div>
      </div>
    );
  return (
    <form
      class="asked"
      onSubmit={(event) => {
        event.preventDefault();
        answer(said);
      }}
    >
      <label class="question" for="answer">
        {pending.text}
      </label>
      {pending.kind === 'secret' ? (
        <input id="answer" type="password" autocomplete="off" value={said} onInput={type} />
      ) : (
        <input id="answer" type="text" autocomplete="off" value={said} onInput={type} />
      )}
      <button type="submit" class="primary">
        {t('answer')}
      </button>
    </form>
  );
}

/** Files dropped, or chosen; a button for who has no mouse. */
export function Drop({ text, onFiles }: { readonly text: string; onFiles(files: readonly File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <section
      aria-label={text}
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <p>{text}</p>
      <button type="button" class="primary" onClick={() => input.current?.click()}>
        {t('choose')}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <p class="hint">{t('kinds')}</p>
    </section>
  );
}

/** A figure with its name, as in an account. */
export function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="figure-line">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
