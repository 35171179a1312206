import { useMemo, useState } from 'preact/hooks';
import { columnLetter } from '../../toolkit/core/text.js';
import type { FilePreviews, PageEvent, TableName } from '../api.js';
import { useInspection } from './columns.js';
import { StepFooter } from './frame.js';
import { Drop, Issues, Working } from './parts.js';
import { type ScreenProps, useMayPrepare } from './screen.js';
import { call, eventsNamed, useAttempts, useLoaded } from './server.js';
import { Tabs } from './tabs.js';
import { count, t } from './words.js';

/** Uploads several files and shows their first rows before anything is asked. */
export function Files(props: ScreenProps) {
  const { upload, reload } = props;
  const inspection = useInspection(props);
  const mayPrepare = useMayPrepare();
  const { refused: notTaken, attempt } = useAttempts();
  const [busy, setBusy] = useState('');
  const names = upload.files.map(({ name, bytes }) => `${name} ${bytes}`).join('\n');
  const { value: previews, refused } = useLoaded<FilePreviews>(
    names === '' ? undefined : `/uploads/${upload.id}/tables?of=${encodeURIComponent(names)}`,
  );
  const add = async (files: readonly File[]): Promise<void> => {
    await attempt(async () => {
      for (const file of files) {
        setBusy(file.name);
        await call('PUT', `/uploads/${upload.id}/files?name=${encodeURIComponent(file.name)}`, file);
      }
    }).finally(() => setBusy(''));
    await reload();
  };
  return (
    <>
      <h1>{t('filesTitle')}</h1>
      <Issues issues={[...notTaken, ...refused, ...inspection.issues]} />
      <ul class="files">
        {upload.files.map(({ name, bytes }) => (
          <li key={name}>
            <span>{name}</span>
            <span class="figure">{t('bytes', { size: count(Math.ceil(bytes / 1024)) })}</span>
            {mayPrepare && (
              <button
                type="button"
                class="plain"
                aria-label={t('remove', { name })}
                onClick={async () => {
                  await call('DELETE', `/uploads/${upload.id}/files?name=${encodeURIComponent(name)}`);
                  await reload();
                }}
              >
                ✕
              </button>
            )}
          </li>
        ))}
      </ul>
      {busy !== '' && <p role="status">{t('uploading', { name: busy })}</p>}
      {mayPrepare && <Drop text={t('dropMore')} onFiles={(files) => void add(files)} />}
      {previews === undefined && names !== '' && <Working task={inspection.task} />}
      {previews !== undefined && previews.tables.length > 0 && (
        <Preview
          files={previews}
          sheets={
            inspection.issues.length > 0 && inspection.events.length === 0
              ? previews.tables.map(withoutHeader)
              : eventsNamed<SheetEvent>(inspection.events, 'sheet')
          }
          answers={mayPrepare ? upload.answers : {}}
          busy={inspection.busy || !mayPrepare}
          answer={inspection.answer}
        />
      )}
      <StepFooter
        upload={upload}
        step="columns"
        reason={busy !== '' ? t('whyUploading') : upload.files.length === 0 ? t('whyNoFile') : undefined}
      />
    </>
  );
}

interface SheetEvent extends PageEvent {
  /** Id under which the header row is answered. */
  readonly id: string;
  readonly file: string;
  readonly sheet: string | null;
  readonly header: number | null;
  readonly groups: number | null;
  readonly state: 'read' | 'asked' | 'aside';
  readonly why?: keyof typeof NOT_READ_PHRASES;
  readonly reason?: string;
}

const NOT_READ_PHRASES = {
  declined: 'whyDeclined',
  alike: 'whyAlike',
  'no-header': 'whyNoHeader',
  unused: 'whyUnused',
} as const;

/** Returns a sheet of which nothing is known: the user may say which row has the labels. */
const withoutHeader = ({ file, sheet }: TableName): SheetEvent => ({
  event: 'sheet',
  id: `header.${sheet ?? file}`,
  file,
  sheet,
  header: null,
  groups: null,
  state: 'read',
});

const idOf = ({ file, sheet }: TableName): string => [file, sheet].join('\n');

interface PreviewProps {
  readonly files: FilePreviews;
  readonly sheets: readonly SheetEvent[];
  readonly answers: Readonly<Record<string, string>>;
  readonly busy: boolean;
  answer(id: string, value: string): Promise<void>;
}

function Preview({ files: { tables, more }, sheets, answers, busy, answer }: PreviewProps) {
  const [chosen, setChosen] = useState<string>();
  const sheetById = useMemo(() => new Map(sheets.map((sheet) => [idOf(sheet), sheet])), [sheets]);
  const table = tables.find((candidate) => idOf(candidate) === chosen) ?? tables[0]!;
  const sheet = sheetById.get(idOf(table));
  const width = Math.max(0, ...table.rows.map(({ texts }) => texts.length));
  const isIgnored = sheet?.state === 'aside';
  return (
    <section>
      <h2>{t('preview')}</h2>
      <Tabs
        label={t('preview')}
        chosen={idOf(table)}
        choose={setChosen}
        tabs={tables.map((tab) => ({
          id: idOf(tab),
          name: (
            <>
              {tab.sheet ?? tab.file} {tab.hidden && <span class="badge">{t('hiddenSheet')}</span>}
              {sheetById.get(idOf(tab))?.state === 'aside' && <span class="badge">{t('notRead')}</span>}
            </>
          ),
          isIgnored: sheetById.get(idOf(tab))?.state === 'aside',
        }))}
      />
      {more > 0 && (
        <p class="notice">{t('moreTables', { shown: count(tables.length), count: count(more) })}</p>
      )}
      <p class="hint" role="status">
        {isIgnored
          ? t(NOT_READ_PHRASES[sheet.why!], { reason: sheet.reason ?? '' } as never)
          : sheet?.state === 'asked'
            ? t('sheetAsked')
            : ''}{' '}
        {sheet?.header ? <strong>{t('headerAt', { row: String(sheet.header) })}</strong> : null}{' '}
        {sheet?.groups ? t('groupsAt', { row: String(sheet.groups) }) : null}{' '}
        {sheet !== undefined &&
          sheet.header !== 0 &&
          t(sheet.header === null ? 'headerUnknown' : 'headerHint')}{' '}
        {sheet !== undefined && (answers[sheet.id] ?? '') !== '' && (
          <button type="button" class="plain" disabled={busy} onClick={() => void answer(sheet.id, '')}>
            {t('undo')}
          </button>
        )}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('preview')}>
        <table class={isIgnored ? 'sheet aside' : 'sheet'}>
          <thead>
            <tr>
              <th scope="col">{t('row')}</th>
              {Array.from({ length: width }, (_, column) => (
                <th key={columnLetter(column)} scope="col">
                  {columnLetter(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(({ number, texts }) => {
              const isHeader = number === sheet?.header || number === sheet?.groups;
              // A file that has no header by its norm gets none.
              const choose =
                sheet === undefined || sheet.header === 0 || number === sheet.header || busy
                  ? undefined
                  : () => void answer(sheet.id, String(number));
              return (
                <tr key={number} class={isHeader ? 'header' : choose && 'choosable'} onClick={choose}>
                  <th scope="row">
                    {sheet === undefined || sheet.header === 0 ? (
                      number
                    ) : (
                      <button
                        type="button"
                        class="plain"
                        aria-pressed={number === sheet.header}
                        aria-label={t('headerHere', { row: String(number) })}
                        disabled={busy}
                      >
                        {number}
                      </button>
                    )}
                  </th>
                  {Array.from({ length: width }, (_, column) => (
                    <td key={columnLetter(column)}>{texts[column] ?? ''}</td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
