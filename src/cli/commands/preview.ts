import type { Client } from '../../client/client.js';
import { type Reply, readReply } from '../../send/reply.js';
import { listRuns, refusePurged } from '../../send/runs.js';
import { clientFor } from '../client-for.js';
import type { Context, Run } from '../context.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { withJournal } from '../journal-access.js';
import { onlyThese } from '../only-these.js';
import type { Options } from '../options.js';
import { runName } from '../outputs.js';
import { makeFolder } from '../preview/pdf-file.js';
import { type PreviewDesk, previewDesk } from '../preview/preview-desk.js';
import { type Wanted, wantedOfFile, wantedOfRun } from '../preview/preview-source.js';
import { chosenRun } from '../run-report.js';
import { say } from '../say.js';
import { confirmed, isElsewhere, serviceAddress } from '../service.js';
import { errandExit, watchErrands } from '../watch-errands.js';

const asked =
  (client: Client, abort: AbortSignal) =>
  async ({ body }: Wanted): Promise<Reply<string>> =>
    readReply(
      await client.call('previewPayroll', { bodyText: JSON.stringify(body) }, { signal: abort }),
      ({ base64payrollpdf: pdf }) => (typeof pdf === 'string' ? pdf : undefined),
      'preview/refused',
    );

async function fetchAll(context: Context, options: Options, desk: PreviewDesk): Promise<ExitCode> {
  const { open } = desk;
  const url = serviceAddress(context, options);
  const question = say(context.language, 'askPreview', { count: open.length, url: url.origin });
  if (isElsewhere(url) && !(await confirmed(context, options, question))) return EXIT.fine;
  const client = await clientFor(context, options, url);
  try {
    const result = await watchErrands<Wanted, string>(context, options, {
      url,
      what: 'previewing',
      total: open.length,
      items: open,
      repeat: true,
      ask: (abort) => asked(client, abort),
      settle: desk.settle,
    });
    return errandExit(result, desk.counts.left, desk.errors);
  } finally {
    await client.close();
  }
}

/** Looks what is to be fetched, fetches it, and sums up. */
async function previewAll(
  context: Context,
  options: Options,
  documents: Iterable<Wanted> | AsyncIterable<Wanted>,
  name: string,
  run = name,
): Promise<ExitCode> {
  const folder = options.folder ?? `vista-previa-${name}`;
  await makeFolder(folder);
  const desk = previewDesk(context, options, folder);
  const chosen = onlyThese(options.only);
  for await (const document of documents) if (chosen.has(document.number)) await desk.take(document);
  chosen.refuseUnknown();
  const code =
    desk.open.length === 0
      ? errandExit({ interrupted: false }, 0, desk.errors)
      : await fetchAll(context, options, desk);
  desk.sumUp(run);
  return code;
}

/** `cargue preview [RUN]`: a PDF of each document, asked of the service; nothing goes to DIAN. */
export const run: Run = async (context, [id], options) => {
  if (options.documents !== undefined)
    return previewAll(context, options, wantedOfFile(options.documents), 'documentos');
  return withJournal(context, options, async (journal) => {
    const chosen = chosenRun(listRuns(journal), journal, id);
    if (chosen !== undefined) refusePurged(chosen);
    if (chosen !== undefined)
      return previewAll(
        context,
        options,
        wantedOfRun(journal, chosen.id),
        runName(context, chosen),
        chosen.id,
      );
    context.terminal.say(say(context.language, 'noRuns'));
    return EXIT.usage;
  });
};
