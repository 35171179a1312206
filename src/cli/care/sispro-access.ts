import type { Client } from '../../client/client.js';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import { readYaml } from '../../mapping/yaml-source.js';
import { validate } from '../../schema/validate.js';
import { configureHealthAccess, type HealthAccess } from '../../send/rips/health-access.js';
import type { Context } from '../context.js';
import type { Options } from '../options.js';
import { readWithRights } from '../private-file.js';
import { say } from '../say.js';

const refuse = (file: string, reason: string): never =>
  stop('usage', { code: 'send/health-access-file', params: { reason }, value: file });

/** The reason of a file that cannot be parsed is not told: it would quote the line. */
function parsed(file: string, text: string): Record<string, unknown> {
  const { value, issues } = readYaml(file, text);
  if (issues.length > 0) return refuse(file, 'YAML');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(file, 'key: value');
  return value as Record<string, unknown>;
}

async function passwordOf({ sisproPassword, terminal, language, ask }: Context): Promise<string> {
  if (sisproPassword !== undefined) return sisproPassword;
  const typed = terminal.interactive ? await ask.secret(say(language, 'askSisproPassword')) : '';
  return typed === '' ? stop('usage', { code: 'send/needs-sispro-password' }) : typed;
}

/**
 * The access to SISPRO of `--sispro`: four members of schemas/rips/configuration. The password may come from
 * CARGUE_SISPRO_PASSWORD or a person instead; a file that holds it is private. Undefined without the option.
 * @throws PipelineError('usage', send/health-access-file, send/needs-sispro-password, document/…), never quoting a value
 */
export async function sisproAccess(
  context: Context,
  { sispro: file }: Options,
): Promise<HealthAccess | undefined> {
  if (file === undefined) return undefined;
  const { text, open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    refuse(file, error.code ?? ''),
  );
  const given = parsed(file, text);
  if (given['password'] !== undefined && open) return refuse(file, '0600');
  const access = { ...given, password: given['password'] ?? (await passwordOf(context)) };
  const issues = validate('rips/configuration', 'strict', access);
  if (issues.length > 0)
    throw new PipelineError(
      'usage',
      issues.map(({ value, ...issue }) => issue),
    );
  return access as unknown as HealthAccess;
}

/** Stores the access in the service. @throws PipelineError('service') with what the service said, never with what it was sent */
export async function storeSisproAccess(
  { terminal, language }: Context,
  client: Client,
  access: HealthAccess | undefined,
): Promise<void> {
  if (access === undefined) return;
  const reply = await configureHealthAccess(client, access);
  if (reply.kind === 'done') return terminal.say(say(language, 'sisproStored'));
  const issues = 'issues' in reply ? reply.issues : 'issue' in reply ? [reply.issue] : [];
  if (issues.length > 0) throw new PipelineError('service', issues);
  stop('service', { code: 'service/throttled' });
}
