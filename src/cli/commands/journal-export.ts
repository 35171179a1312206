import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Issue } from '../../issues/issue.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { Journal } from '../../send/journal.js';
import { journalRecords } from '../../send/journal-records.js';
import { bogotaDate } from '../../send/time.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { createIssuePrinter } from '../issue-printer.js';
import { companyOf, withJournal } from '../journal-access.js';
import { outputOf, refuseOutput } from '../outputs.js';
import { redact, secretNames } from '../redact.js';
import { formatCount, say } from '../say.js';

/** Writes line by line, as fast as the disk takes it; returns how many. */
async function writeRecords(
  journal: Journal,
  temporary: string,
  onDamage: (part: string) => void,
): Promise<number> {
  const isSecret = secretNames();
  const file = createWriteStream(temporary);
  const closed = finished(file);
  closed.catch(() => undefined); // looked at below, when all is written
  let lines = 0;
  try {
    for (const record of journalRecords(journal, onDamage)) {
      file.write(`${JSON.stringify(redact(record, isSecret))}\n`);
      lines += 1;
      if (file.errored) throw file.errored;
      if (file.writableNeedDrain) await once(file, 'drain');
    }
  } finally {
    file.end();
    await closed;
  }
  return lines;
}

const incomplete = (part: string): Issue => ({
  code: 'journal/export-incomplete',
  level: 'error',
  params: { part },
  place: {},
});

/** `cargue journal export`: a private file (0600) with all that the journal knows. */
export const run: Run = (context, _args, options) =>
  withJournal(context, options, async (journal) => {
    const { terminal, language, now } = context;
    const output = options.output ?? `diario-${companyOf(options)}-${bogotaDate(now().getTime())}.jsonl`;
    refuseOutput(context, options, { purpose: 'export', output });
    const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
    let count = 0;
    const file = await putInPlace(
      output,
      async (temporary) => {
        count = await writeRecords(journal, temporary, (part) => printer.print(incomplete(part)));
      },
      outputOf(context, options, 'export'),
    );
    if (options.json) terminal.out(JSON.stringify({ event: 'export', file, lines: count }));
    terminal.say(say(language, 'exported', { file, count: formatCount(count, language) }));
    return printer.errors > 0 ? EXIT.dataErrors : EXIT.fine;
  });
