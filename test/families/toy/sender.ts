import { fake } from '../../cli/fake-context.js';
import { send } from '../../cli/use-cases.js';
import { MAPPING } from './family.js';
import { WHOLE } from './more.js';

/** A sender in a process of its own: `file url workspace`. */
const [file = '', url = '', workspace = ''] = process.argv.slice(2);
const { context } = fake({ url, token: 'toy-token', workspace });
process.exitCode = await send({ ...context, families: [WHOLE] }, [file], {
  mapping: MAPPING,
  yes: true,
  concurrency: 3,
  report: `${workspace}/report.xlsx`,
  results: `${workspace}/results`,
});
