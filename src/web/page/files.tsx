import { useEffect, useState } from 'preact/hooks';
import { columnLetter } from '../../core/text.js';
import type { PageIssue, TablePreview } from '../api.js';
import { Drop, Issues } from './parts.js';
import { go } from './place.js';
import type { ScreenProps } from './screen.js';
import { call, Refused, useLoaded } from './server.js';
import { count, t } from './words.js';

/** Which files: several, looked into before anything is asked. */
export function Files({ upload, reload }: ScreenProps) {
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const [busy, setBusy] = useState('');
  const names = upload.files.map(({ name, bytes }) => `${name} ${bytes}`).join('\n');
  const { value: tables, refused } = useLoaded<readonly TablePreview[]>(
    names === '' ? undefined : `/uploads/${upload.id}/tables?of=${encodeURIComponent(names)}`,
  );
  const add = async (files: readonly File[]): Promise<void> => {
    setIssues([]);
    try {
      for (const file of files) {
        setBusy(file.name);
        await call('PUT', `/uploads/${upload.id}/files?name=${encodeURIComponent(file.name)}`, file);
      }
    } catch (error) {
      if (error instanceof Refused) setIssues(error.issues);
    }
    setBusy('');
    await reload();
  };
  return (
    <>
      <h1>{t('filesTitle')}</h1>
      <Issues issues={[...issues, ...refused]} />
      <ul class="files">
        {upload.files.map(({ name, bytes }) => (
          <li key={name}>
            <span>{name}</span>
            <span class="figure">{t('bytes', { size: count(Math.ceil(bytes / 1024)) })}</span>
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
          </li>
        ))}
      </ul>
      {busy !== '' && <p role="status">{t('uploading', { name: busy })}</p>}
      <Drop text={t('dropMore')} onFiles={(files) => void add(files)} />
      {tables !== undefined && tables.length > 0 && <Preview tables={tables} />}
      <div class="buttons forward">
        <button
          type="button"
          class="primary"
          disabled={upload.files.length === 0 || busy !== ''}
          onClick={() => go('upload', upload.id, 'columns')}
        >
          {t('next')}
        </button>
      </div>
    </>
  );
}

function Preview({ tables }: { readonly tables: readonly TablePreview[] }) {
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [tables]);
  const table = tables[at] ?? tables[0]!;
  const width = Math.max(0, ...table.rows.map(({ texts }) => texts.length));
  return (
    <section>
      <h2>{t('preview')}</h2>
      <div class="tabs" role="tablist">
        {tables.map(({ file, sheet, hidden }, index) => (
          <button
            key={`${file} ${sheet}`}
            type="button"
            role="tab"
            aria-selected={table === tables[index]}
            onClick={() => setAt(index)}
          >
            {sheet ?? file}
            {hidden && <span class="badge">{t('hiddenSheet')}</span>}
          </button>
        ))}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('preview')}>
        <table class="sheet">
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
            {table.rows.map(({ number, texts }) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                {Array.from({ length: width }, (_, column) => (
                  <td key={columnLetter(column)}>{texts[column] ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
