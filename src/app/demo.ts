import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/server.js';
import { packageFile } from '../toolkit/core/package-file.js';
import type { UseCase } from './context.js';
import { emitMessage } from './events.js';
import { send } from './send.js';

const TEST_SET = 'demo-0000-0000-0000-000000000000';

/** Folder the demo keeps, so that the next one may replace its report; the rest is cleared. */
const REMEMBERED = 'written';

async function clear(workspace: string): Promise<void> {
  for (const name of await readdir(workspace))
    if (name !== REMEMBERED) await rm(join(workspace, name), { recursive: true, force: true });
}

/** `npm run demo`: sends a month of invented employees to a sandbox, from the workbook to the report. */
export const demo: UseCase = async (context, _args, options) => {
  const workspace = join(context.workspace, 'demo');
  await mkdir(workspace, { recursive: true, mode: 0o700 });
  await clear(workspace);
  const sandbox = await startSandbox();
  try {
    emitMessage(context, 'sandboxAt', { url: sandbox.url });
    const outcome = await send(
      { ...context, workspace, url: sandbox.url, token: sandbox.token },
      [packageFile('samples', 'payroll', 'nomina-octubre-2026.xlsx')],
      {
        ...options,
        mapping: packageFile('mappings', 'payroll', 'wide.yaml'),
        params: packageFile('samples', 'payroll', 'params.json'),
        testSet: TEST_SET,
        report: 'demo-report.xlsx',
        yes: true,
      },
    );
    emitMessage(context, 'demoOnPage');
    return outcome;
  } finally {
    await sandbox.close();
    await clear(workspace);
  }
};
