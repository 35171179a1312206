import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { type Fake, type FakeOptions, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, sampleCsv, WIDE } from './sample.js';
import { adjust, send } from './use-cases.js';

/** Workers of a sent run; the last one has no e-mail address. */
export const WORKERS = 6;

const DOCUMENT = 'Número documento';

export const addressOf = (document: string): string => `persona.${document}@example.co`;

/** The first workers of the sample, with e-mail addresses. */
const withAddresses = (change: (grid: string[][]) => void = () => undefined): Promise<string> =>
  sampleCsv((grid) => {
    grid.splice(WORKERS + 1);
    const document = columnOf(grid, DOCUMENT);
    grid[0]!.push('Correo electrónico');
    for (const row of grid.slice(1)) row.push(addressOf(row[document]!));
    grid[WORKERS]![grid[0]!.length - 1] = '';
    change(grid);
  });

/** A sandbox for the file; each test has its own journal, month, prefix range and test set. */
export function sentRuns() {
  let sandbox: Sandbox;
  let turn = 0;
  let folder: string;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  beforeEach(() => {
    turn += 1;
    folder = freshFolder();
    for (const { id } of sandbox.controls.outbox()) sandbox.controls.remove('outbox', id);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const monthly = (): Options => {
    const month = `${2026 + turn}-10`;
    return {
      ...WIDE,
      param: [
        `month=${month}`,
        `settlement_start_date=${month}-01`,
        `settlement_end_date=${month}-31`,
        `issue_date=${month}-31`,
        `payment_date=${month}-30`,
        `first_consecutive=${turn * 100}`,
      ],
      testSet: `set-${turn}`,
      report: join(folder, 'report.xlsx'),
      yes: true,
      json: true,
      partial: true,
    };
  };
  const here = (more: FakeOptions = {}): Fake =>
    fake({ url: sandbox.url, token: sandbox.token, workspace: join(folder, 'ws'), ...more });
  const numberAt = (place: number): string => `NOM${turn * 100 + place}`;

  return {
    here,
    numberAt,
    get sandbox() {
      return sandbox;
    },
    get folder() {
      return folder;
    },
    /** Sends the workers of a month. */
    async sent(more: Options = {}, context: Partial<Fake['context']> = {}): Promise<Fake> {
      const call = here();
      await send({ ...call.context, ...context }, [await withAddresses()], { ...monthly(), ...more });
      sandbox.controls.clearRequests();
      return call;
    },
    /** Corrects the month by the same file, its grid changed. */
    async adjusted(change: (grid: string[][]) => void, more: Options = {}): Promise<Fake> {
      const call = here();
      const { param = [], ...options } = monthly();
      await adjust(call.context, [await withAddresses(change)], {
        ...options,
        param: [...param, 'note_prefix=NA'],
        ...more,
      });
      return call;
    },
  };
}
