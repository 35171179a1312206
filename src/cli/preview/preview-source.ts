import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Issue, Place } from '../../issues/issue.js';
import { stop } from '../../issues/pipeline-error.js';
import { workerOf } from '../../payroll/subject.js';
import type { Journal } from '../../send/journal.js';
import { numberText, runBodies } from '../../send/run-bodies.js';
import { isObject } from '../../send/soap-json.js';
import type { JsonObject } from '../../values/json.js';
import { pdfName } from './pdf-file.js';

/** A document to be previewed, or why it cannot be. */
export interface Wanted {
  readonly key: string;
  readonly number: string;
  /** File name of its PDF. */
  readonly file: string;
  readonly place: Place;
  readonly body: JsonObject;
  readonly issue?: Issue;
}

/** The one schema that the service previews (service.md 4.10). */
const PREVIEWED = 'payroll/payroll';

function wanted(key: string, number: string, place: Place, body: JsonObject, issue?: Issue): Wanted {
  const file = pdfName(number, workerOf(body));
  return { key, number, file, place, body, ...(issue !== undefined && { issue }) };
}

const warn = (code: string, params: Issue['params'] = {}): Issue => ({
  code,
  level: 'warning',
  params,
  place: {},
});

/** Documents of a run, whatever became of them. */
export function* wantedOfRun(journal: Journal, run: string): Iterable<Wanted> {
  for (const document of runBodies(journal, run)) {
    const { key, schema, place, body } = document;
    const number = numberText(document);
    if (schema !== PREVIEWED)
      yield wanted(key, number, place, body, warn('preview/no-such-kind', { kind: schema }));
    else if (document.number === undefined) yield wanted(key, number, place, body, warn('preview/no-number'));
    else yield wanted(key, number, place, { ...body, ...document.number }, undefined);
  }
}

/**
 * Documents as `convert` writes them, one a line: before anything is sent.
 * @throws PipelineError('input', preview/bad-line) · PipelineError('usage', run/no-match)
 */
export async function* wantedOfFile(file: string): AsyncIterable<Wanted> {
  const input = createReadStream(file, 'utf8');
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  try {
    for await (const text of lines) {
      line += 1;
      const clean = text.replace(/^\uFEFF/, '').trim();
      if (clean === '') continue;
      const body =
        documentIn(clean) ?? stop('input', { code: 'preview/bad-line', params: { line }, place: { file } });
      const number = `${body['prefix'] ?? ''}${body['consecutive'] ?? ''}`;
      const issue = body['consecutive'] === undefined ? warn('preview/no-number') : undefined;
      yield wanted(workerOf(body), number, { file, line }, body, issue);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      stop('usage', { code: 'run/no-match', value: file });
    throw error;
  } finally {
    lines.close();
    input.destroy();
  }
}

function documentIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isObject(value['worker']) ? value : undefined;
  } catch {
    return undefined;
  }
}
