import type { Client } from '../../client/client.js';
import { clientFor } from '../client-for.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import type { Options } from '../options.js';
import { say } from '../say.js';
import { confirmed, isElsewhere, serviceAddress } from '../service.js';
import { targetText } from '../setup/dian-target.js';
import { askStanding, typeText } from '../setup/range-plan.js';
import { readRecord, type SetupRecord } from '../setup/setup-record.js';

function showSoftware({ terminal, language }: Context, { json }: Options, { software }: SetupRecord): void {
  if (json) {
    terminal.out(
      JSON.stringify({ event: 'setup', what: 'software', ...software, known: software !== undefined }),
    );
    return;
  }
  if (software === undefined) {
    terminal.say(say(language, 'showNoSoftware'));
    return;
  }
  terminal.say(say(language, 'showSoftware', { at: software.at.slice(0, 10) }));
  for (const [name, value] of [
    ['nameSoftwareId', software.id],
    ['namePayroll', targetText(software.payroll, language)],
    ['nameInvoicing', targetText(software.invoicing, language)],
  ] as const)
    terminal.say(say(language, 'planLine', { name: say(language, name), value }));
}

async function showRanges(
  context: Context,
  options: Options,
  client: Client,
  record: SetupRecord,
): Promise<void> {
  const { terminal, language } = context;
  for (const type of [9, 10] as const) {
    const named = record.ranges.filter((range) => range.type === type).map(({ prefix }) => prefix);
    const name = typeText(language, type);
    for (const asked of named.length > 0 ? named : [undefined]) {
      const found = await askStanding(client, type, asked);
      if (options.json) {
        const known = { prefix: found?.prefix ?? asked ?? null, next: found?.next ?? null };
        terminal.out(JSON.stringify({ event: 'setup', what: 'resolution', type, ...known }));
      } else if (found !== undefined) terminal.say(say(language, 'showRange', { type: name, ...found }));
      else
        terminal.say(
          say(language, 'showNoRange', { type: name, prefix: asked === undefined ? '' : ` ${asked}` }),
        );
    }
  }
}

/** `cargue setup show`: the ranges as the service shows them, the rest as this machine last set it. */
export const run: Run = async (context, _args, options) => {
  const url = serviceAddress(context, options);
  const record = await readRecord(context, options);
  showSoftware(context, options, record);
  const question = say(context.language, 'askAskService', { url: url.origin });
  if (isElsewhere(url) && !(await confirmed(context, options, question))) return EXIT.fine;
  const client = await clientFor(context, options, url);
  try {
    await showRanges(context, options, client, record);
    return EXIT.fine;
  } finally {
    await client.close();
  }
};
