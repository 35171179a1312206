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
import { mappingIssue, readSmallText, readYaml } from '../toolkit/mapping/yaml-source.js';
import type { Message } from '../toolkit/messages/texts.js';
import { checkFileShape, expectedIn, schemaJson } from '../toolkit/schema/registry.js';
import { isMonthly } from './ask-params.js';
import { companyName } from './company-name.js';
import type { Context, UseCase } from './context.js';
import { say } from './events.js';
import { withFiles } from './files.js';
import { givenParams, loadChosen, loadFiles, readyMappings, withAsked } from './job.js';
import type { CheckOptions } from './options.js';
import { profileNames } from './profile.js';

const FILE = 'cargue.yaml';

/** The project of a folder: its own file, or that of the nearest folder above. */
function findProject(folder: string): string | undefined {
  const file = join(folder, FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findProject(above);
}

/** What people write where a profile, or the environment, is the place. */
const SECRETS: ReadonlySet<string> = new Set(
  Object.keys(schemaJson('profile').properties ?? {}).concat(['pin', 'password', 'clave', 'environment']),
);
const OWN: ReadonlySet<string> = new Set(Object.keys(schemaJson('project').properties ?? {}));

/**
 * A project as its text says it.
 * @throws PipelineError('usage', project/… with file, line and column)
 */
function parseProject(text: string): ProjectFile {
  const source = readYaml(FILE, text.replace(/^\uFEFF/, ''));
  // What the parser says may quote the line, which may hold what belongs in a profile.
  refuse(source.issues.map(({ place }) => ({ code: 'project/yaml', level: 'error', params: {}, place })));
  if (source.value === null) return {};
  refuse(
    checkFileShape('project', source.value).map(({ kind, path, key = '', known, expected }) => {
      const at = source.locate(kind === 'unknown-key' ? [...path, key] : path, 'key');
      if (kind !== 'unknown-key')
        return mappingIssue(FILE, at, 'project/shape', {
          params: { key: path.join('.'), ...expectedIn(expected) },
        });
      if (path.length === 0 && SECRETS.has(key) && !OWN.has(key))
        return mappingIssue(FILE, at, 'project/of-profile', { value: key });
      return mappingIssue(FILE, at, 'project/unknown-key', {
        value: key,
        suggestions: suggest(key, known, 1),
      });
    }),
  );
  const project = source.value as unknown as ProjectFile;
  const outside = Object.entries(project.outputs ?? {}).filter(([, name]) => !staysBelow(name));
  refuse(
    outside.map(([key, value]) =>
      mappingIssue(FILE, source.locate(['outputs', key]), 'project/outside', { value }),
    ),
  );
  return project;
}

/** Whoever lays a file into a folder must not say what is written elsewhere. */
const staysBelow = (name: string): boolean =>
  !isAbsolute(name) && !/^[A-Za-z]:/.test(name) && !normalize(name).split(/[\\/]/).includes('..');

function readProject(file: string): ProjectFile {
  try {
    return parseProject(readSmallText(file));
  } catch (cause) {
    if (cause instanceof PipelineError) throw cause;
    return stop('usage', { code: 'project/not-readable', params: { file } }, cause);
  }
}

/** A call, and which options its command takes. */
interface Call<C extends Context, O extends CheckOptions> {
  readonly context: C;
  readonly options: O;
  readonly args: readonly string[];
  readonly takes: (
    option: 'profile' | 'company' | 'mapping' | 'params' | 'report' | 'annotate' | 'failed',
  ) => boolean;
}

/** The call with what the project of its folder adds: options go first, then the environment, then the project. */
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
  const ofOther = options.profile ?? context.profileName; // its company goes with it
  if (ofOther === undefined && takes('profile')) add('profile', profile, 'projectProfile', profile);
  if ((ofOther === undefined || ofOther === profile) && takes('company'))
    add('company', company && companyName(company), 'projectCompany', company);
  if (takes('mapping') && mapping !== undefined) {
    const beside = resolve(folder, mapping);
    add('mapping', existsSync(beside) ? beside : mapping, 'projectMapping', mapping);
  }
  if (takes('params') && params !== undefined)
    add('project', { params }, 'projectParams', Object.keys(params).join(', '));
  const [first] = args;
  const input = first === undefined ? undefined : basename(first, extname(first)).replaceAll(/[*?]/g, '');
  for (const [option, name] of Object.entries(outputs) as ['report' | 'annotate' | 'failed', string][])
    if (takes(option) && input !== undefined) {
      const named = name.replaceAll('{input}', input);
      add(option, resolve(folder, named), 'projectOutput', named);
    }
  if (used.length > 0) say(context, 'projectUsed', { file, list: { list: used } });
  return { context, options: { ...added, ...options } as O };
}

type ProjectKey = 'projectProfile' | 'projectCompany' | 'projectMapping' | 'projectParams' | 'projectOutput';

/** `cargue new [FILE...]`: writes the project of this folder, by asking; a file of a month tells which mapping it is. */
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
  say(context, 'projectWritten', { file: written });
  return 'fine';
};

/** The ready-made mapping of the call, or the one that its files plainly fit; undefined where the header is to tell every month. */
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
  return chosen !== undefined && (await readyMappings()).includes(chosen) ? chosen : undefined;
}

/** What is needed every month and does not change with it. */
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
