import { basename, dirname, resolve } from 'node:path';
import { serviceUrl } from '../../client/address.js';
import type { ProfileFile } from '../../generated/profile-types.js';
import type { Issue } from '../../issues/issue.js';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import { mappingIssue, readYaml, type YamlPath, type YamlSource } from '../../mapping/yaml-source.js';
import { checkFileShape, type ShapeFault } from '../../schema/file-shape.js';
import { schemaJson } from '../../schema/registry.js';
import type { JsonValue } from '../../values/json.js';
import { suggest } from '../../values/similar.js';
import { readWithRights } from '../private-file.js';

/** Keys whose values nobody may see. */
export const SECRET_KEYS: ReadonlySet<string> = new Set(
  Object.entries(schemaJson('profile').properties ?? {})
    .filter(([, { writeOnly }]) => writeOnly === true)
    .map(([key]) => key),
);

type Report = (
  path: YamlPath,
  code: string,
  finding?: Pick<Issue, 'value' | 'params' | 'suggestions'> | Partial<Issue>,
) => Issue;

/** Values are never quoted: they may be secrets. */
const reporter =
  (file: string, source: YamlSource): Report =>
  (path, code, finding = {}) =>
    mappingIssue(file, source.locate(path, 'key'), { code, ...finding });

function shapeIssue(report: Report, { kind, path, key = '', known, expected }: ShapeFault): Issue {
  if (kind === 'unknown-key')
    return report([...path, key], 'profile/unknown-key', {
      value: key,
      suggestions: suggest(key, known, 1),
    });
  if (kind === 'missing-key') return report(path, 'profile/missing-key', { value: key });
  return report(path, 'profile/shape', { params: { key: path.join('.'), expected } });
}

/** What one key says against another, and the address. */
function contradictions(report: Report, profile: ProfileFile): readonly Issue[] {
  const found: Issue[] = [];
  if (profile.environment === 'production' && profile.test_set !== undefined)
    found.push(report(['test_set'], 'profile/test-set-in-production'));
  if (profile.token !== undefined && profile.token_file !== undefined)
    found.push(report(['token_file'], 'profile/two-tokens'));
  try {
    serviceUrl(profile.url);
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    found.push(...error.issues.map(({ code, value = '' }) => report(['url'], code, { value })));
  }
  return found;
}

/**
 * A profile as its text says it.
 * @throws PipelineError('usage', profile/… with file, line and column)
 */
export function parseProfile(file: string, text: string): ProfileFile {
  const name = basename(file);
  const source = readYaml(name, text);
  const report = reporter(name, source);
  const refuse = (issues: readonly Issue[]): void => {
    if (issues.length > 0) throw new PipelineError('usage', issues);
  };
  // What the parser says may quote the line.
  refuse(
    source.issues.map(({ place, params }) => ({ ...blank('profile/yaml'), place, params: only(params) })),
  );
  refuse(checkFileShape('profile', source.value).map((fault) => shapeIssue(report, fault)));
  const profile = source.value as unknown as ProfileFile;
  refuse(contradictions(report, profile));
  return profile;
}

const blank = (code: string): Issue => ({ code, level: 'error', params: {}, place: {} });

const only = ({ file, line, column }: Issue['params']): Issue['params'] => ({
  file: file!,
  line: line!,
  column: column!,
});

const readable = (file: string) =>
  readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'profile/not-readable', params: { file, reason: error.code ?? '' } }),
  );

const openToOthers = (file: string): never =>
  stop('usage', { code: 'profile/open-to-others', params: { file } });

async function tokenIn(file: string): Promise<string> {
  const { text, open } = await readable(file);
  if (open) return openToOthers(file);
  const token = text.trim();
  return /^[!-~]+$/.test(token) ? token : stop('usage', { code: 'profile/no-token', params: { file } });
}

const hasSecret = (value: JsonValue): boolean =>
  Object.keys(value as object).some((key) => SECRET_KEYS.has(key));

/**
 * Reads a profile; files that it names come back as paths from here, and the token as it is.
 * @throws PipelineError('usage', profile/…); a file with secrets that others may read is refused
 */
export async function loadProfile(file: string): Promise<ProfileFile> {
  const { text, open } = await readable(file);
  const profile = parseProfile(file, text);
  if (open && hasSecret(profile as unknown as JsonValue)) return openToOthers(file);
  const { token_file: tokenFile, ca, ...rest } = profile;
  const at = (path: string): string => resolve(dirname(file), path);
  return {
    ...rest,
    ...(ca !== undefined && { ca: at(ca) }),
    ...(tokenFile !== undefined && { token: await tokenIn(at(tokenFile)) }),
  };
}
