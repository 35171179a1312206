import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { acceptable, type Choice, defaultAnswer, NO_ANSWERS } from '../../inspect/choice.js';
import { type Inspection, type InspectOptions, inspect } from '../../inspect/inspect.js';
import {
  answersIn,
  isEdited,
  isMarked,
  mappingText,
  mergedText,
  type TextOptions,
} from '../../inspect/mapping-text.js';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import { readYaml } from '../../mapping/yaml-source.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { expandFiles } from '../files.js';
import { givenParams } from '../given-params.js';
import { inspectEvents } from '../inspect-events.js';
import { inspectText } from '../inspect-say.js';
import { choiceLines, promptText, showInspection } from '../inspect-view.js';
import { loadReadyMappings } from '../mapping-choice.js';
import { answerValues, type Options } from '../options.js';
import { refuseInputAsOutput } from '../outputs.js';

/** A name as mapping files have it: `NOMINA OCT.yaml` → nomina-oct. */
const nameOf = (file: string | undefined): string =>
  basename(file ?? 'mapeo')
    .replace(/\.[a-z]+$/i, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'mapeo';

const HEAD_BYTES = 256;

/** The mapping that stands there, if inspect wrote it. Others are not touched without --force. */
async function standing({ write, force }: Options): Promise<string | undefined> {
  const there = write === undefined ? undefined : await stat(write).catch(() => undefined);
  if (write === undefined || there?.isFile() !== true) return undefined;
  const file = await open(write);
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    .finally(() => file.close());
  if (isMarked(buffer.toString('utf8', 0, bytesRead))) return readFile(write, 'utf8');
  if (!force) stop('usage', { code: 'inspect/not-ours', value: write });
  return undefined;
}

/** The answer of a person to one question; undefined when it is left open. */
async function askOne({ terminal, language, ask }: Context, choice: Choice): Promise<string | undefined> {
  terminal.say();
  for (const line of choiceLines(choice, terminal.paint)) terminal.say(line);
  for (;;) {
    const said = (await ask.text(promptText(choice, language))) || defaultAnswer(choice);
    if (said === undefined) return undefined;
    const value = acceptable(choice, said);
    if (value !== undefined) return value;
    terminal.say(inspectText(language, 'noSuch'));
  }
}

/** Asks a person all that is open; what the answers bring up is asked next. */
async function askAll(context: Context, options: InspectOptions, first: Inspection): Promise<Inspection> {
  const given = new Map(options.answers.given);
  const asked = new Set<string>();
  let found = first;
  for (;;) {
    const open = found.open.filter(({ id }) => !asked.has(id));
    if (open.length === 0) return found;
    for (const choice of open) {
      asked.add(choice.id);
      const value = await askOne(context, choice);
      if (value !== undefined) given.set(choice.id, value);
    }
    found = await inspect({ ...options, answers: { ...options.answers, given } });
  }
}

/** What a person made of the mapping, with what the answers of this call change in it. */
async function merge(
  call: InspectOptions,
  found: Inspection,
  edited: string,
  how: TextOptions,
): Promise<string> {
  const issues = readYaml(basename(how.mapping), edited).issues;
  if (issues.length > 0) throw new PipelineError('mapping', issues);
  const before = await inspect({ ...call, answers: answersIn(edited, NO_ANSWERS.given) });
  const { text, clashes } = mergedText(edited, before, found, how);
  if (clashes.length > 0)
    stop('usage', {
      code: 'inspect/edited-otherwise',
      value: how.mapping,
      params: { places: clashes.join(', ') },
    });
  return text;
}

/** `cargue inspect FILE...`: what the files are, and a mapping for them in which nothing is guessed. */
export const run: Run = async (context, patterns, options) => {
  const { terminal, language } = context;
  const files = await expandFiles(patterns);
  const { write } = options;
  if (write !== undefined) refuseInputAsOutput(context, options, write, files);
  const before = await standing(options);
  const given = answerValues(options.answer);
  const call: InspectOptions = {
    files,
    ready: await loadReadyMappings(),
    answers: before === undefined ? { ...NO_ANSWERS, given } : answersIn(before, given),
    language,
    name: nameOf(write),
    params: await givenParams(options),
  };
  let found = await inspect(call);
  if (found.fit === undefined && found.ranked.every(({ score }) => score === 0)) {
    const ready = call.ready.map(({ name }) => name).join(', ');
    stop('input', {
      code: 'inspect/nothing-found',
      value: files.map((file) => basename(file)).join(', '),
      params: { ready },
    });
  }
  if (!options.json) showInspection(terminal, found);
  if (write !== undefined && terminal.interactive && !options.json)
    found = await askAll(context, call, found);
  if (write !== undefined) {
    const how: TextOptions = { language, files, mapping: write };
    const goesOn = before !== undefined && isEdited(before) && !options.force;
    const merged = goesOn ? await merge(call, found, before, how) : undefined;
    const text = merged ?? mappingText(found, how);
    await putInPlace(write, (temporary) => writeFile(temporary, text));
    if (merged !== undefined && !options.json) terminal.say(inspectText(language, 'kept', { file: write }));
  }
  if (options.json) for (const event of inspectEvents(found, write)) terminal.out(JSON.stringify(event));
  else sayNext(context, found, files, write);
  return EXIT.fine;
};

const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

function sayNext(
  { terminal, language }: Context,
  { open, params }: Inspection,
  files: readonly string[],
  write?: string,
): void {
  const names = files.map(quoted).join(' ');
  terminal.say();
  if (write === undefined) {
    terminal.say(inspectText(language, 'write', { files: names }));
    return;
  }
  const file = quoted(write);
  if (open.length > 0) {
    terminal.say(inspectText(language, 'open', { file, count: open.length }));
    return;
  }
  terminal.say(inspectText(language, 'ready', { file }));
  const needed = params.map(({ name }) => ` -p ${name}=…`).join('');
  terminal.say(inspectText(language, 'next', { files: names, file, params: needed }));
}
