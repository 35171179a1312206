import { join } from 'node:path';
import type { Issue } from '../../issues/issue.js';
import type { Reply } from '../../send/reply.js';
import type { Context } from '../context.js';
import { createIssuePrinter } from '../issue-printer.js';
import { maskFor, shownPerson } from '../mask.js';
import type { Options } from '../options.js';
import { formatCount, say } from '../say.js';
import { decodePdf, whatIsThere, writeNew } from './pdf-file.js';
import type { Wanted } from './preview-source.js';

/** documents = written + there + failed + left */
export interface PreviewCounts {
  documents: number;
  written: number;
  there: number;
  failed: number;
  left: number;
}

/** Knows what is to be fetched, puts it in its place, and keeps count. */
export interface PreviewDesk {
  readonly counts: Readonly<PreviewCounts>;
  /** Of those without a preview, the ones for which something is to be done. */
  readonly errors: number;
  /** To be fetched, in order. */
  readonly open: readonly Wanted[];
  take(document: Wanted): Promise<void>;
  settle(document: Wanted, reply: Reply<string>): Promise<void>;
  sumUp(run: string): void;
}

export function previewDesk({ terminal, language }: Context, options: Options, folder: string): PreviewDesk {
  const counts: PreviewCounts = { documents: 0, written: 0, there: 0, failed: 0, left: 0 };
  const open: Wanted[] = [];
  const names = new Set<string>();
  const printer = createIssuePrinter(terminal, {
    json: options.json === true,
    mask: maskFor(options, ['payroll/payroll']),
  });

  /** Windows and macOS know no case in names. */
  const isTaken = ({ file }: Wanted): boolean => names.size === names.add(file.toLowerCase()).size;
  const tell = ({ key, number, file }: Wanted, state: string): void => {
    if (options.json)
      terminal.out(
        JSON.stringify({
          event: 'preview',
          key: shownPerson(options)(key),
          number: number || null,
          state,
          file: join(folder, file),
        }),
      );
  };
  const fail = (document: Wanted, issues: readonly Issue[]): void => {
    counts.failed += 1;
    for (const issue of issues)
      printer.print({ ...issue, place: { ...document.place, ...issue.place }, documentKey: document.key });
    tell(document, 'failed');
  };
  const error = (code: string, value?: string): Issue[] => [
    { code, level: 'error', params: {}, place: {}, ...(value !== undefined && { value }) },
  ];

  return {
    counts,
    open,
    get errors() {
      return printer.errors;
    },
    async take(document) {
      counts.documents += 1;
      if (document.issue !== undefined) return fail(document, [document.issue]);
      if (isTaken(document)) return fail(document, error('preview/name-taken', document.file));
      const there = await whatIsThere(join(folder, document.file));
      if (there === 'other') return fail(document, error('preview/in-the-way', document.file));
      if (there === 'nothing') {
        counts.left += 1;
        open.push(document);
        return;
      }
      counts.there += 1;
      tell(document, 'there');
    },
    async settle(document, reply) {
      counts.left -= 1;
      if (reply.kind === 'refused') return fail(document, reply.issues);
      if (reply.kind === 'unknown') return fail(document, [reply.issue]);
      const bytes = reply.kind === 'done' ? decodePdf(reply.value) : undefined;
      if (bytes === undefined) return fail(document, error('preview/not-a-pdf'));
      if (!(await writeNew(folder, document.file, bytes)))
        return fail(document, error('preview/in-the-way', document.file));
      counts.written += 1;
      tell(document, 'written');
      await terminal.drained();
    },
    sumUp(run) {
      printer.finish();
      if (options.json) {
        terminal.out(JSON.stringify({ event: 'summary', run, folder, previews: counts }));
        return;
      }
      const shown = Object.entries(counts).map(([name, count]) => [name, formatCount(count, language)]);
      terminal.say(say(language, 'previews', Object.fromEntries(shown)));
      terminal.say(say(language, 'previewFolder', { folder }));
      if (counts.left > 0) terminal.say(say(language, 'repeatHint'));
    },
  };
}
