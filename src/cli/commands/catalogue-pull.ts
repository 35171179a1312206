import { useLoadedTables } from '../../catalogue/catalogue.js';
import { storeTable } from '../../catalogue/table-store.js';
import type { CallRequest } from '../../client/client.js';
import type { OperationId } from '../../generated/operations.js';
import { stop } from '../../issues/pipeline-error.js';
import { listsIn, SERVICE_LISTS } from '../catalogue/service-lists.js';
import { tableFolder } from '../catalogue/table-folder.js';
import { clientFor } from '../client-for.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { createIssuePrinter } from '../issue-printer.js';
import { say } from '../say.js';
import { confirmed, isElsewhere, serviceAddress } from '../service.js';

/** `cargue catalogue pull`: the tables of the service as they are now, kept with the time and used before the shipped ones. */
export const run: Run = async (context, _args, options) => {
  const { terminal, language } = context;
  const { json = false } = options;
  const url = serviceAddress(context, options);
  const question = say(language, 'askPull', { url: url.origin });
  if (isElsewhere(url) && !(await confirmed(context, options, question))) return EXIT.fine;
  const folder = tableFolder(context.workspace);
  const printer = createIssuePrinter(terminal, { json, mask: (issue) => issue });
  const client = await clientFor(context, options, url);
  try {
    for (const operation of Object.keys(SERVICE_LISTS) as OperationId[]) {
      const answer = await client.call(operation, {} as CallRequest);
      if (answer.kind === 'failure')
        return stop('service', {
          code: 'run/no-answer',
          value: url.origin,
          params: { reason: answer.reason },
        });
      const lists = answer.kind === 'json' && answer.status < 400 ? listsIn(operation, answer.body) : [];
      if (lists.length === 0)
        printer.print({
          code: 'catalogue/not-answered',
          level: 'error',
          params: { operation, status: answer.status },
          place: {},
        });
      for (const list of lists) {
        const from = { kind: 'service', source: url.origin } as const;
        const { origin, isNew } = storeTable(folder, list, from, context.now());
        if (json) terminal.out(JSON.stringify({ event: 'catalogue', name: list.name, isNew, ...origin }));
        else {
          const { rows, source } = origin;
          terminal.say(
            say(language, isNew ? 'tableLoaded' : 'tableSame', { table: list.name, rows, source }),
          );
        }
      }
    }
  } finally {
    printer.finish();
    await client.close();
    useLoadedTables(folder);
  }
  return printer.errors > 0 ? EXIT.dataErrors : EXIT.fine;
};
