import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, normalize, resolve } from 'node:path';
import type { ProjectFile } from '../generated/project-types.js';
import { putInPlace } from '../report/put-in-place.js';
import { PipelineError, refuse, stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { suggest } from '../toolkit/core/text.js';
import { yaml } from '../toolkit/core/yaml.js';
import type { Opened } from '../toolkit/documents/opened.js';
import { readyNames } from '../toolkit/mapping/shipped.js';
import { mappingIssue, readSmallText, readYaml } from '../toolkit/mapping/yaml-source.js';
import type { Message } from '../toolkit/messages/texts.js';
import { checkFileShape, expectedIn, schemaJson } from '../toolkit/schema/registry.js';
import { isMonthly } from './ask-params.js';
import { companyName } from './company-name.js';
import type { Context, UseCase } from './context.js';
import { emitMessage } from './events.js';
import { withFiles } from './files.js';
import { givenParams, loadChosen, loadFiles, withAsked } from './job.js';
import type { CheckOptions } from './options.js';
import { profileNames } from './profile.js';

const FILE = 'cargue.yaml';

function findProject(folder: string): string | undefined {
  const file = join(folder, FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findProject(above);
}

/** Keys that belong in a profile or the environment; they get an issue that says so. */
const PROFILE_KEYS: ReadonlySet<string> = new Set(
  Object.keys(schemaJson('profile').properties ?? {}).concat(['pin', 'password', 'clave', 'environment']),
);
const PROJECT_KEYS: ReadonlySet<string> = new Set(Object.keys(schemaJson('project').properties ?? {}));

/** Parses and checks a project file. @throws PipelineError('usage', project/… with file, line and column) */
function parseProject(text: string): ProjectFile {
  const source = readYaml(FILE, text.replace(/^\uFEFF/, ''));
  // Parser messages may quote the line, which may hold a secret.
  refuse(source.issues.map(({ place }) => ({ code: 'project/yaml', level: 'error', params: {}, place })));
  if (source.value === null) return {};
  refuse(
    checkFileShape('project', source.value).map(({ kind, path, key = '', known, expected }) => {
      const at = source.locate(kind === 'unknown-key' ? [...path, key] : path, 'key');
      if (kind !== 'unknown-key')
        return mappingIssue(FILE, at, 'project/shape', {
          params: { key: path.join('.'), ...expectedIn(expected) },
        });
      if (path.length === 0 && PROFILE_KEYS.has(key) && !PROJECT_KEYS.has(key))
        return mappingIssue(FILE, at, 'project/of-profile', { value: key });
      return mappingIssue(FILE, at, 'project/unknown-key', {
        value: key,
        suggestions: suggest(key, known, 1),
      });
    }),
  );
  const project = source.value as unknown as ProjectFile;
  const outside = Object.entries(project.outputs ?? {}).filter(([, name]) => !isBelow(name));
  refuse(
    outside.map(([key, value]) =>
      mappingIssue(FILE, source.locate(['outputs', key]), 'project/outside', { value }),
    ),
  );
  return project;
}

/** True if the path stays below the folder: a shared project file must not write elsewhere. */
const isBelow = (name: string): boolean =>
  !isAbsolute(name) && !/^[A-Za-z]:/.test(name) && !normalize(name).split(/[\\/]/).includes('..');

function readProject(file: string): ProjectFile {
  try {
    return parseProject(readSmallText(file));
  } catch (cause) {
    if (cause instanceof PipelineError) throw cause;
    return stop('usage', { code: 'project/not-readable', params: { file } }, cause);
  }
}

/** Context, options and arguments of a command, with the options it takes. */
interface Call<C extends Context, O extends CheckOptions> {
  readonly context: C;
  readonly options: O;
  readonly args: readonly string[];
  readonly takes: (
    option: 'profile' | 'company' | 'mapping' | 'params' | 'report' | 'annotate' | 'failed',
  ) => boolean;
}

/** Adds the project of the folder to a call: options take precedence, then the environment, then the project. */
export function withProject<C extends Context, O extends CheckOptions>({
  context,
  options,
  args,
  takes,
}: Call<C, O>) {
  const file = context.folder === undefined ? undefined : findProject(context.folder);
  if (file === undefined) return { context, options };
  const folder = dirname(file);
  const { profile, company, mapping, params, outputs = {} } = readProject(file);
  const used: Message[] = [];
  const added: { -readonly [K in keyof CheckOptions]?: CheckOptions[K] } = {};
  const add = <K extends keyof CheckOptions>(
    option: K,
    value: CheckOptions[K],
    key: ProjectKey,
    shown: unknown,
  ): void => {
    if (value === undefined || options[option] !== undefined) return;
    added[option] = value;
    used.push({ key, params: { value: String(shown) } } as Message);
  };
  const otherProfile = options.profile ?? context.profileName; // its company goes with it
  if (otherProfile === undefined && takes('profile')) add('profile', profile, 'projectProfile', profile);
  if ((otherProfile === undefined || otherProfile === profile) && takes('company'))
    add('company', company && companyName(company), 'projectCompany', company);
  if (takes('mapping') && mapping !== undefined) {
    const local = resolve(folder, mapping);
    add('mapping', existsSync(local) ? local : mapping, 'projectMapping', mapping);
  }
  if (takes('params') && params !== undefined)
    add('project', { params }, 'projectParams', Object.keys(params).join(', '));
  if (added.mapping !== undefined) added.project = { ...added.project, mapping: added.mapping };
  const [first] = args;
  const input = first === undefined ? undefined : basename(first, extname(first)).replaceAll(/[*?]/g, '');
  for (const [option, name] of Object.entries(outputs) as ['report' | 'annotate' | 'failed', string][])
    if (takes(option) && input !== undefined) {
      const named = name.replaceAll('{input}', input);
      add(option, resolve(folder, named), 'projectOutput', named);
    }
  if (used.length > 0) emitMessage(context, 'projectUsed', { file, list: { list: used } });
  return { context, options: { ...added, ...options } as O };
}

type ProjectKey = 'projectProfile' | 'projectCompany' | 'projectMapping' | 'projectParams' | 'projectOutput';

/** `cargue new [FILE...]`: asks for and writes the project file of this folder; a sample file shows the mapping. */
export const newProject: UseCase<CheckOptions> = async (context, patterns, options) => {
  const { ask } = context;
  const file = join(context.folder ?? '.', FILE);
  if (existsSync(file) && !options.force) stop('usage', { code: 'project/exists', params: { file } });
  const profiles = await profileNames(context.workspace);
  const text = async (question: Message): Promise<string | undefined> =>
    (await ask?.text(question)) || undefined;
  const profile =
    options.profile ??
    (options.company === undefined && profiles.length > 0
      ? await text({ key: 'askProjectProfile', params: { profiles: profiles.join(', ') } })
      : undefined);
  const company =
    profile === undefined ? (options.company ?? (await text({ key: 'askProjectCompany' }))) : undefined;
  const { mapping, params } = await withFiles(patterns, options, async (opened) => {
    const mapping = await mappingOf(context, opened, options);
    return {
      mapping,
      params: mapping === undefined ? {} : await constantParams(context, opened, mapping, options),
    };
  });
  const outputs = await ask?.confirm({ key: 'askProjectOutputs' });
  const project: ProjectFile = {
    ...(profile !== undefined && { profile }),
    ...(company !== undefined && { company: companyName(company) }),
    ...(mapping !== undefined && { mapping }),
    ...(Object.keys(params).length > 0 && { params: params as NonNullable<ProjectFile['params']> }),
    ...(outputs && { outputs: { report: '{input}-reporte.xlsx', annotate: '{input}-revisado.xlsx' } }),
  };
  const body = Object.keys(project).length === 0 ? '' : yaml().stringify(project);
  const content = `# cargue schema show project\n${body}`;
  parseProject(content);
  const written = await putInPlace(file, (temporary) => writeFile(temporary, content));
  context.tell({ event: 'project-written', file: written, project: project as JsonObject });
  emitMessage(context, 'projectWritten', { file: written });
  return 'fine';
};

/**
 * Returns the mapping in the options, or the ready-made one the files fit; undefined to choose by header each month.
 */
async function mappingOf(
  context: Context,
  opened: Opened,
  options: CheckOptions,
): Promise<string | undefined> {
  if (options.mapping !== undefined) {
    await loadChosen(options.mapping);
    return options.mapping;
  }
  if (opened.files.length === 0) return undefined;
  const { chosen } = await loadFiles(context, opened, options);
  return chosen !== undefined && readyNames().includes(chosen) ? chosen : undefined;
}

/** Asks for the required parameters that do not change with the month. */
async function constantParams(
  context: Context,
  opened: Opened,
  name: string,
  options: CheckOptions,
): Promise<JsonObject> {
  const mapping = await loadChosen(name);
  const given = await givenParams(options);
  return (await withAsked(
    context,
    opened,
    mapping,
    given,
    options,
    (spec) => !isMonthly(spec),
  )) as JsonObject;
}
