import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageEvent, PageIssue } from '../api.js';
import { Forward } from './columns.js';
import { Grid, type Marks } from './grid.js';
import { Figure, Issues, Working } from './parts.js';
import { actOf, type ScreenProps } from './screen.js';
import { call, Refused, useAct } from './server.js';
import { count, t } from './words.js';

interface Cause {
  readonly id: string;
  readonly sample: PageIssue;
  readonly issues: PageIssue[];
}

/** Issues of one kind in one column. */
function causesOf(issues: readonly PageIssue[]): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const issue of issues) {
    const id = [issue.level, issue.code, issue.sheet, issue.label ?? issue.column].join('\n');
    const known = causes.get(id);
    if (known === undefined) causes.set(id, { id, sample: issue, issues: [issue] });
    else known.issues.push(issue);
  }
  return [...causes.values()].sort(
    (a, b) => a.sample.level.localeCompare(b.sample.level) || b.issues.length - a.issues.length,
  );
}

const placeOf = ({ sheet, cell, row }: PageIssue): string =>
  [sheet, cell ?? (row === null ? null : `${t('row')} ${row}`)].filter(Boolean).join('!');

export interface Summary extends PageEvent {
  readonly records: {
    readonly read: number;
    readonly used: number;
    readonly skipped: number;
    readonly heldBack: number;
  };
  readonly documents: Readonly<Record<string, number>>;
  readonly columns?: Readonly<Record<string, number>>;
  readonly issues: { readonly errors: number; readonly warnings: number };
}

/** What the files hold, what is wrong in them and how to mend it, before anything is sent. */
export function Review({ upload, reload }: ScreenProps) {
  const { act, events } = useAct(actOf(upload, 'check')?.id);
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const start = async (): Promise<void> => {
    try {
      await call('POST', `/uploads/${upload.id}/acts/check`, {});
    } catch (error) {
      if (error instanceof Refused) setRefused(error.issues);
    }
    await reload();
  };
  useEffect(() => {
    if (actOf(upload, 'check') === undefined && upload.files.length > 0) void start();
  }, [upload.id]);
  const issues = useMemo(
    () => events.filter(({ event }) => event === 'issue') as unknown as PageIssue[],
    [events],
  );
  const summary = events.find(({ event }) => event === 'summary') as Summary | undefined;
  const isOver = act?.state === 'ended';
  return (
    <>
      <h1>{t('reviewTitle')}</h1>
      <Issues issues={[...refused, ...(act?.failure ?? [])]} />
      {!isOver && <Working act={act} />}
      {summary !== undefined && <Accounts summary={summary} />}
      {isOver && issues.length === 0 && act.failure.length === 0 && (
        <p class="notice good">{t('noIssues')}</p>
      )}
      {isOver && (
        <Findings
          key={act.id}
          upload={upload.id}
          files={upload.files.map(({ name }) => name)}
          issues={issues}
        />
      )}
      <div class="buttons">
        {isOver && (
          <button type="button" onClick={() => void start()}>
            {t('checkAgain')}
          </button>
        )}
        {isOver &&
          summary !== undefined &&
          upload.files.length === 1 &&
          !/\.(xml|zip)$/i.test(upload.files[0]!.name) && (
            <a class="button" href={`/api/uploads/${upload.id}/outputs/revisado.xlsx`} download>
              {t('annotated')}
            </a>
          )}
      </div>
      <Forward
        upload={upload}
        step="confirm"
        back="data"
        disabled={!isOver || summary === undefined || !summary.documents['made']}
      />
    </>
  );
}

/** Nothing is lost between two lines. */
export function Accounts({ summary: { records, documents, columns } }: { readonly summary: Summary }) {
  const shown = (counts: Readonly<Record<string, number>>, ...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, count(counts[name] ?? 0)]));
  return (
    <dl class="accounts" aria-label={t('accounts')}>
      <Figure name={t('records')}>
        {t('recordsAre', shown({ ...records }, 'read', 'used', 'skipped', 'heldBack') as never)}
      </Figure>
      <Figure name={t('documents')}>
        {t('documentsAre', shown(documents, 'planned', 'made', 'heldBack') as never)}
      </Figure>
      {columns !== undefined && (
        <Figure name={t('columns')}>
          {t('columnsAre', shown(columns, 'filled', 'used', 'control', 'declined', 'unread') as never)}
        </Figure>
      )}
    </dl>
  );
}

interface FindingsProps {
  readonly upload: string;
  readonly files: readonly string[];
  readonly issues: readonly PageIssue[];
}

function Findings({ upload, files, issues }: FindingsProps) {
  const causes = useMemo(() => causesOf(issues), [issues]);
  const [sheet, setSheet] = useState<{ file: string; sheet: string | null } | undefined>(() => {
    const first = issues.find(({ row, file }) => row !== null && file !== null);
    const file = first?.file ?? files[0];
    return file === undefined ? undefined : { file, sheet: first?.sheet ?? null };
  });
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [selected, setSelected] = useState<{ row: number; column: string }>();
  const marks = useMemo(() => marksOf(issues, sheet), [issues, sheet]);
  const said = selected === undefined ? [] : (marks.get(selected.row)?.get(selected.column) ?? []);
  const show = (issue: PageIssue): void => {
    if (issue.row === null || issue.file === null) return;
    setSheet({ file: issue.file, sheet: issue.sheet });
    setSelected({ row: issue.row, column: issue.column ?? '' });
  };
  return (
    <div class="findings">
      {causes.length > 0 && (
        <section class="causes" aria-label={t('causes')}>
          <h2>{t('causes')}</h2>
          <ul>
            {causes.slice(0, 200).map(({ id, sample, issues: all }) => (
              <li key={id} class={sample.level}>
                <p>
                  {sample.label !== null && <strong>{sample.label}: </strong>}
                  {sample.message}
                </p>
                <p class="hint">{sample.fix}</p>
                <p>
                  <span class="figure">
                    {all.length === 1 ? t('onePlace') : t('places', { count: count(all.length) })}
                  </span>{' '}
                  {all.slice(0, 3).map((issue) => (
                    <button key={placeOf(issue)} type="button" class="plain" onClick={() => show(issue)}>
                      {placeOf(issue)}
                    </button>
                  ))}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {sheet !== undefined && !/\.(xml|zip)$/i.test(sheet.file) && (
        <section class="data">
          <div class="bar">
            <h2>{[sheet.file, sheet.sheet].filter(Boolean).join(' · ')}</h2>
            <label>
              <input
                type="checkbox"
                checked={onlyErrors}
                onChange={({ currentTarget }) => setOnlyErrors(currentTarget.checked)}
              />
              {t('onlyErrors')}
            </label>
          </div>
          <Grid
            upload={upload}
            file={sheet.file}
            sheet={sheet.sheet}
            marks={marks}
            onlyMarked={onlyErrors}
            shown={selected?.row}
            selected={selected}
            select={(row, column) => setSelected({ row, column })}
          />
          <div class="cell-note" role="status">
            {said.map((issue) => (
              <p key={issue.code + issue.message} class={issue.level}>
                <strong>{placeOf(issue)}</strong> {issue.message} <span class="hint">{issue.fix}</span>
                {issue.suggestions.length > 0 && (
                  <span class="hint">
                    {' '}
                    {t('suggestions')}: {issue.suggestions.map(({ value }) => value).join(', ')}
                  </span>
                )}
              </p>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function marksOf(
  issues: readonly PageIssue[],
  at: { readonly file: string; readonly sheet: string | null } | undefined,
): Marks {
  const marks = new Map<number, Map<string, PageIssue[]>>();
  for (const issue of issues) {
    if (issue.row === null || issue.file !== at?.file || (issue.sheet ?? null) !== at.sheet) continue;
    const ofRow = marks.get(issue.row) ?? new Map<string, PageIssue[]>();
    const column = issue.column ?? '';
    ofRow.set(column, [...(ofRow.get(column) ?? []), issue]);
    marks.set(issue.row, ofRow);
  }
  return marks;
}
