import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Block, Decisions, MappingFile, TargetChoice } from '../../generated/mapping-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { INDEX_SHEET } from '../../generated/texts-report.js';
import { TEMPLATE_SHEETS } from '../../generated/texts-template.js';
import { type Issue, PipelineError, stop } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import { getOrAdd, listIn } from '../core/remember.js';
import { required } from '../core/required.js';
import { fold, isWild, suggest, wildcard } from '../core/text.js';
import type { Note } from '../messages/wording.js';
import { catalogue } from '../schema/catalogue.js';
import { derivedLeaves, derivedNames } from '../schema/derived-totals.js';
import {
  checkFileShape,
  checkPartShape,
  fileSchema,
  isSchemaName,
  resolved,
  resolveNode,
  rootNode,
  type SchemaNode,
  type ShapeFault,
  schemaNames,
} from '../schema/registry.js';
import { ruleCodes } from '../schema/rule-data.js';
import {
  type CompiledBatchCheck,
  compileBatchChecks,
  compileChecks,
  compileRuleLevels,
  type DocumentCheck,
  type RuleLevel,
} from './checks.js';
import { ownConcepts, readLayout } from './layout.js';
import { type CompiledParam, compileParams } from './params.js';
import {
  addCondition,
  type Condition,
  compileDocument,
  type DocumentPlan,
  type Field,
  readBy,
} from './plan.js';
import type { HeldTexts } from './read/cell.js';
import { type CompiledColumn, type CompiledTable, type Gate, joiningColumns, type Source } from './record.js';
import { type GoneColumn, withPresentIds } from './renamed.js';
import {
  columnOf,
  deciding,
  noUsedColumns,
  paramOf,
  type Scope,
  tableOf,
  type UsedColumns,
} from './scope.js';
import { readyFile, readyNames, shippedNames } from './shipped.js';
import { compileNamedValues, formulaSource, fromSource } from './source.js';
import {
  loadSynonyms,
  mergeSynonyms,
  type OpenChoice,
  openChoices,
  type Synonyms,
  withDecisions,
  withNames,
} from './synonyms.js';
import { compileJoins, compileLists, compileTables } from './tables.js';
import { ownSheetName } from './template-plan.js';
import {
  createLint,
  inBase,
  type Lint,
  mappingIssue,
  mappingOver,
  readSmallText,
  readYaml,
  reportShape,
  type YamlPath,
  type YamlSource,
} from './yaml-source.js';

/** Use of a column: `used` in a document or a decision on the way to it, `control` in comparisons alone. */
type Role = 'used' | 'control';

/** Role of each read column; a column without a role is read and never used. */
export type Roles = ReadonlyMap<CompiledColumn, Role>;

/** Returns the columns with all columns that they read. */
function readBehind(columns: Iterable<CompiledColumn>): ReadonlySet<CompiledColumn> {
  const found = new Set<CompiledColumn>();
  const add = (column: CompiledColumn): void => {
    if (found.has(column)) return;
    found.add(column);
    for (const other of column.uses) add(other);
  };
  for (const column of columns) add(column);
  return found;
}

function rolesOf(uses: UsedColumns, control: UsedColumns, tables: Iterable<CompiledTable>): Roles {
  const roles = new Map<CompiledColumn, Role>();
  const give = ({ into, conditions, gates }: UsedColumns, role: Role): void => {
    const named = [...into, ...conditions, ...gates.flatMap(({ columns }) => [...columns])];
    for (const column of readBehind(named))
      if (column.wanted !== undefined && !roles.has(column)) roles.set(column, role);
  };
  give(uses, 'used');
  give(control, 'control');
  for (const { spec, columns } of tables)
    if (spec.role === 'control')
      for (const column of columns.values())
        if (column.wanted !== undefined && !roles.has(column)) roles.set(column, 'control');
  return roles;
}

/** Columns of a table that reach a document only through gates, each with the bit of those that share its gates. */
type AtRisk = ReadonlyMap<number, readonly (readonly [column: CompiledColumn, bit: number])[]>;

/** Gives each gate the bits of the columns that have no other way into a document; returns the columns at risk by gates. */
function bitsOfGates({ into, gates }: UsedColumns): (gates: readonly Gate[]) => AtRisk {
  const plain = new Set([...into].flatMap(({ feeders }) => feeders));
  const ways = new Map<CompiledColumn, Gate[]>();
  for (const gate of gates)
    for (const column of new Set([...gate.columns].flatMap(({ feeders }) => feeders)))
      if (!plain.has(column)) listIn(ways, column).push(gate);
  const bits = new Map<number, [column: CompiledColumn, bit: number][]>();
  const known = new Map<string, number>();
  const bitsThrough = new Map<Gate, (readonly [tableIndex: number, bit: number])[]>();
  for (const [column, through] of ways) {
    const { tableIndex } = column;
    const tableBits = listIn(bits, tableIndex);
    const key = `${tableIndex} ${through.map((gate) => gates.indexOf(gate)).join()}`;
    const bit = getOrAdd(known, key, () => new Set(tableBits.map(([, used]) => used)).size);
    tableBits.push([column, bit]);
    for (const gate of through) listIn(bitsThrough, gate).push([tableIndex, bit]);
  }
  for (const [gate, gateBits] of bitsThrough) gate.masks = masksOf(gateBits);
  return (gatesOfTarget) => {
    const risk = new Map<number, (readonly [column: CompiledColumn, bit: number])[]>();
    const open = new Set(gatesOfTarget);
    for (const [tableIndex, columns] of bits) {
      const reached = columns.filter(([column]) => required(ways, column).some((gate) => open.has(gate)));
      if (reached.length > 0) risk.set(tableIndex, reached);
    }
    return risk;
  };
}

/** Packs bits of columns into words of 32 bits, by `tableIndex`. */
function masksOf(bits: readonly (readonly [tableIndex: number, bit: number])[]): Gate['masks'] {
  const masks = new Map<string, readonly [tableIndex: number, word: number, mask: number]>();
  for (const [tableIndex, bit] of bits) {
    const word = bit >> 5;
    const before = masks.get(`${tableIndex} ${word}`)?.[2] ?? 0;
    masks.set(`${tableIndex} ${word}`, [tableIndex, word, before | (1 << (bit & 31))]);
  }
  return [...masks.values()];
}

/** Returns the file that a mapping names: a ready-made mapping (`payroll/wide`), or a file in the folder of the mapping. */
function fileNamed(name: string, folder: string | undefined): string | undefined {
  const ready = readyFile(name);
  if (/^[a-z0-9][a-z0-9/_-]*$/.test(name) && existsSync(ready)) return ready;
  return folder === undefined ? undefined : fileBeside(name, folder);
}

const isInside = (folder: string, file: string): boolean => {
  const inside = relative(folder, file);
  return !inside.startsWith('..') && !isAbsolute(inside);
};

/** Returns a file in a folder or below it; undefined if it is missing or elsewhere, even by a symbolic link. */
function fileBeside(name: string, folder: string): string | undefined {
  const file = resolve(folder, name);
  if (!isInside(folder, file) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return isInside(realpathSync(folder), realpathSync(file)) ? file : undefined;
}

/** Returns the files of a mapping: itself, the mapping that it extends and its decisions. */
export function filesOfMapping(path: string): readonly string[] {
  const { value } = readYaml(basename(path), readFileSync(path, 'utf8'));
  const named = isObject(value) ? [value['extends'], value['decisions']] : [];
  const folder = dirname(path);
  return [
    path,
    ...named.flatMap((name) => (typeof name === 'string' ? (fileNamed(name, folder) ?? []) : [])),
  ];
}

const goneIssue = (source: YamlSource, { path, id, advice }: GoneColumn): Issue =>
  mappingIssue(source.file, source.locate(path, 'key'), 'mapping/column-gone', {
    value: id,
    params: { fix_es: advice.es, fix_en: advice.en },
  });

/** Returns the ready-made mappings whose name within the family is like that of a mapping. */
const likeNamed = (name: string): readonly string[] =>
  readyNames().filter((known) => suggest(basename(name), [basename(known)]).length > 0);

/**
 * Reads a mapping over the one that it `extends`. Places name the file in which a key is written.
 * `folder` is that of the mapping; without one it can extend ready-made mappings only.
 */
function readMappingSource(file: string, text: string, folder?: string, by?: YamlSource): YamlSource {
  const top = readLayout(file, text, by);
  if (top.issues.length > 0 || !isObject(top.value)) return top;
  const { extends: name } = top.value;
  if (typeof name !== 'string') return top;
  const path = fileNamed(name, folder);
  const refuse = (code: 'mapping/unknown-base' | 'mapping/extends-deep'): YamlSource => ({
    ...top,
    issues: [
      mappingIssue(file, top.locate(['extends']), code, {
        value: name,
        suggestions: suggest(name, likeNamed(name), 1),
      }),
    ],
  });
  if (path === undefined) return refuse('mapping/unknown-base');
  // A ready-made mapping may stand on another one; what a customer writes stands on one file only.
  const raw = top.hasVocabulary ? readYaml(file, text) : top;
  const base =
    path === readyFile(name)
      ? readMappingSource(basename(path), readSmallText(path), undefined, ownConcepts(raw) ? raw : by)
      : readLayout(basename(path), readSmallText(path), raw);
  if (base.issues.length > 0) return base;
  if (isObject(base.value) && base.value['extends'] !== undefined) return refuse('mapping/extends-deep');
  const { extends: _, concepts, ...written } = top.value;
  const isReady = path === readyFile(name) && !top.shipped;
  const { value: over, gone } = isReady
    ? withPresentIds(written, name, base.value)
    : { value: written, gone: [] };
  if (gone.length > 0) return { ...top, issues: gone.map((column) => goneIssue(top, column)) };
  // Its tests say what it does by itself.
  const { tests: __, ...below } = isObject(base.value) ? base.value : {};
  return {
    file,
    text: `${base.text}\n${top.text}`,
    value: mappingOver(below, {
      ...over,
      ...(concepts && !(isObject(concepts) && base.hasVocabulary) && { concepts }),
    }),
    shipped: top.shipped && base.shipped,
    hasVocabulary: top.hasVocabulary === true || base.hasVocabulary === true,
    issues: [],
    has: (at) => top.has(at) || base.has(inBase(over, at)),
    inherits: (at) => !top.has(at) && base.has(inBase(over, at)),
    isWritten: (at) => top.isWritten(at) || base.isWritten(inBase(over, at)),
    locate(at, what, offset) {
      const below = inBase(over, at);
      if (top.has(at) || !base.has(below)) return top.locate(at, what, offset);
      return { file: base.file, ...base.locate(below, what, offset) };
    },
  };
}

/** Kind of document that a mapping makes. */
export interface CompiledTarget extends DocumentPlan {
  readonly schema: SchemaName;
  /** Tells whether a document is of this kind; without it all are. */
  readonly when?: Source;
  /** Source of the stated amount by name of the derived total. */
  readonly stated: ReadonlyMap<string, Source>;
  readonly atRisk: AtRisk;
}

/** Compiled parts of a mapping, made once and read by all. */
interface MappingPlan {
  /** Tables by id. */
  readonly tables: ReadonlyMap<string, CompiledTable>;
  /** Leaves of the documents; a leaf of several kinds of document as the first kind has it. */
  readonly fields: readonly Field[];
  /** Conditions that decide which records count. */
  readonly conditions: readonly Condition[];
  readonly synonyms: Synonyms;
}

/** Mapping that has passed its lint. */
export interface LoadedMapping extends MappingPlan {
  readonly file: string;
  readonly name: string;
  readonly sha256: string;
  readonly spec: MappingFile;
  /** Schema of the first target. */
  readonly target: SchemaName;
  readonly targets: readonly CompiledTarget[];
  readonly params: ReadonlyMap<string, CompiledParam>;
  /** Tables whose records make documents. */
  readonly mains: NonEmpty<CompiledTable>;
  /** `record` if each record makes a document, `key` if all records of a key make one. */
  readonly onePer: 'record' | 'key';
  /** Ids of the columns of `mains` that people know a document by. */
  readonly key: NonEmpty<string>;
  readonly display: readonly CompiledColumn[];
  /** Columns that lists show next to the name. */
  readonly details: ReadonlyMap<string, readonly CompiledColumn[]>;
  readonly checks: readonly DocumentCheck[];
  readonly batch: readonly CompiledBatchCheck[];
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly roles: Roles;
  /** Returns why a sheet of that name is ignored; undefined if it is not. */
  readonly leftAside: (sheet: string) => LeftAside | undefined;
}

interface LeftAside {
  readonly reason: Note;
  /** True if a table may read it all the same. */
  readonly yields?: true;
}

const OF_TEMPLATE: LeftAside = { reason: { key: 'own-sheet' }, yields: true };

/** Compiles the ignored sheets: those that the mapping names, and those that templates add. */
function compileIgnoredSheets(
  { ignore_sheets = [], tables }: MappingFile,
  lint: Lint,
): LoadedMapping['leftAside'] {
  const named = Object.entries(tables).flatMap(([id, { sheet = [] }]) =>
    [sheet]
      .flat()
      .filter((name) => !isWild(name))
      .map((name) => ({ id, name: fold(name), inBase: lint.inherits(['tables', id, 'sheet']) })),
  );
  const declined = ignore_sheets.flatMap(({ sheets, reason }, index) => {
    const at = ['ignore_sheets', index];
    const tests = [sheets].flat().map((pattern) => wildcard(pattern));
    const fits = (name: string): boolean => tests.some((test) => test(name));
    // What the base leaves aside, a mapping on top of it may want, and the other way round.
    const isInBase = lint.inherits(at);
    const wanted = named.filter(({ name, inBase }) => fits(name) && (isInBase || !inBase));
    if (!isInBase)
      for (const { id } of wanted) lint.report(at, 'mapping/ignored-sheet-wanted', { value: id });
    const excepted = new Set(wanted.map(({ name }) => name));
    return [{ fits: (name: string): boolean => !excepted.has(name) && fits(name), reason }];
  });
  const templateSheets = new Set(
    Object.values(TEMPLATE_SHEETS)
      .flatMap((name) => Object.values(name))
      .flatMap((name) => [false, true].map((isTaken) => fold(ownSheetName(name, isTaken))))
      .concat(Object.values(INDEX_SHEET).map((name) => fold(name))),
  );
  return (sheet) => {
    const name = fold(sheet);
    const found = declined.find(({ fits }) => fits(name));
    return found ? { reason: found.reason } : templateSheets.has(name) ? OF_TEMPLATE : undefined;
  };
}

/** Returns the synonyms of a mapping with its names, undefined if a file is missing. Concepts that no vocabulary took are an error. */
function synonymsOf({ synonyms = [], names = {}, concepts }: MappingFile, lint: Lint): Synonyms | undefined {
  if (concepts !== undefined)
    lint.report(['concepts'], 'mapping/no-effect', {
      value: 'concepts',
      params: { needs: 'vocabulary' },
      key: true,
    });
  const all = synonyms.flatMap((name, index) => {
    const found = loadSynonyms(name);
    if (found === undefined)
      lint.report(['synonyms', index], 'mapping/unknown-synonyms', {
        value: name,
        suggestions: suggest(name, shippedNames('synonyms'), 1),
      });
    return found ?? [];
  });
  return all.length < synonyms.length ? undefined : withNames(mergeSynonyms(all), names);
}

/** Decisions of a mapping and the file that holds them: the mapping itself, or a side file. */
interface SettledWords {
  readonly decisions: Decisions;
  readonly lint: Lint;
  /** Path of the decisions within the file. */
  readonly at: YamlPath;
}

/** Reads the decisions of a mapping; those of a side file must have the shape of the inline form. */
function loadDecisions(spec: MappingFile, folder: string | undefined, lint: Lint): SettledWords {
  const { decisions = {} } = spec;
  if (typeof decisions !== 'string') return { decisions, lint, at: ['decisions'] };
  const file = folder === undefined ? undefined : fileBeside(decisions, folder);
  if (file === undefined) {
    lint.report(['decisions'], 'mapping/no-decisions', { value: decisions });
    return { decisions: {}, lint, at: ['decisions'] };
  }
  const source = readYaml(basename(file), readSmallText(file));
  const fileLint = createLint(source);
  if (fileLint.issues.length === 0) {
    const open = reportOpen(fileLint, source.value);
    reportClosed(fileLint, checkPartShape('mapping', 'decisions', source.value), open);
  }
  const isSound = fileLint.issues.length === 0;
  return { decisions: isSound ? (source.value as Decisions) : {}, lint: fileLint, at: [] };
}

/** Reports decisions for a list or a code that does not exist. */
function checkDecisions({ decisions: { values = {} }, lint, at }: SettledWords): void {
  for (const [name, words] of Object.entries(values)) {
    const list = catalogue(name);
    if (list === undefined) {
      lint.report([...at, 'values', name], 'mapping/unknown-catalogue', { value: name, key: true });
      continue;
    }
    for (const [word, code] of Object.entries(words))
      if (!list.rows.some((row) => row['code'] === String(code)))
        lint.report([...at, 'values', name, word], 'mapping/unknown-code', {
          value: String(code),
          params: { catalogue: name },
        });
  }
}

/** Reports decisions for a column without choices, or for a choice that it does not have. */
function checkChoices(
  { decisions: { choices = {} }, lint, at }: SettledWords,
  tables: ReadonlyMap<string, CompiledTable>,
): void {
  const columns = [...tables.values()].flatMap((table) => [...table.columns.values()]);
  for (const [id, words] of Object.entries(choices)) {
    const matching = columns.filter((column) => column.id === id);
    const allowed = matching.flatMap((column) =>
      column.kind === 'boolean' ? ['true', 'false'] : Object.keys(column.choices ?? {}),
    );
    if (allowed.length === 0)
      lint.report([...at, 'choices', id], 'mapping/unknown-column', {
        value: id,
        key: true,
        suggestions: suggest(
          id,
          columns.filter(({ kind }) => kind === 'boolean' || kind === 'choice').map((column) => column.id),
          1,
        ),
      });
    else
      for (const [word, value] of Object.entries(words))
        if (!allowed.includes(String(value)))
          lint.report([...at, 'choices', id, word], 'mapping/unknown-choice', {
            value: String(value),
            params: { column: id },
            suggestions: suggest(String(value), allowed, 1),
          });
  }
}

/** Kind of document that a mapping makes. */
interface NamedTarget extends TargetChoice {
  readonly schema: SchemaName;
  /** Path of the name in the mapping. */
  readonly path: readonly (string | number)[];
}

/** Returns the targets with their schemas; reports unknown ones. */
function targetsOf({ target }: MappingFile, lint: Lint, folder: string | undefined): readonly NamedTarget[] {
  const choices: TargetChoice[] = typeof target === 'string' ? [{ schema: target }] : target;
  return choices.flatMap((choice, index) => {
    const path = typeof target === 'string' ? ['target'] : ['target', index, 'schema'];
    const isPath = /^\.\.?\//.test(choice.schema) && folder !== undefined;
    const schema = isPath ? fileSchema(folder, choice.schema) : choice.schema;
    if (isSchemaName(schema)) return [{ ...choice, schema, path }];
    lint.report(path, 'mapping/unknown-schema', {
      value: choice.schema,
      suggestions: suggest(choice.schema, schemaNames(), 1),
    });
    return [];
  });
}

function compileStated(
  spec: MappingFile,
  target: SchemaName,
  all: readonly SchemaName[],
  scope: Scope,
): ReadonlyMap<string, Source> {
  const totals = derivedNames(target);
  const known = [...new Set(all.flatMap(derivedNames))];
  return new Map(
    Object.entries(spec.stated ?? {}).flatMap(([name, stated]) => {
      const path = ['stated', name];
      if (!known.includes(name))
        scope.lint.report(path, 'mapping/unknown-total', {
          value: name,
          params: { known: known.join(', ') },
          suggestions: suggest(name, known, 1),
          key: true,
        });
      const source = totals.includes(name) ? fromSource(scope, stated, path) : undefined;
      return source === undefined ? [] : [[name, source] as const];
    }),
  );
}

/** Returns the tables of `one_per` and the ids of the columns that identify a document. */
function mainsOf(spec: MappingFile, scope: Scope): { mains: CompiledTable[]; key: string[] } {
  const { one_per } = spec;
  const ids = 'record' in one_per ? [one_per.record] : [one_per.of].flat();
  const path = ['one_per', 'record' in one_per ? 'record' : 'of'];
  const mains = ids.flatMap((id) => tableOf(scope, id, path) ?? []);
  const key = 'record' in one_per ? [spec.key ?? []].flat() : [one_per.key].flat();
  if ('key' in one_per && spec.key !== undefined && [spec.key].flat().join() !== key.join())
    scope.lint.report(['key'], 'mapping/no-effect', {
      value: 'key',
      params: { needs: 'one_per: { record }' },
      key: true,
    });
  for (const { id, spec: tableSpec } of scope.tables.values())
    if (tableSpec.spread && !('key' in one_per && ids.includes(id)))
      scope.lint.report(['tables', id, 'spread'], 'mapping/no-effect', {
        value: 'spread',
        params: { needs: `one_per: { key, of: [${id}] }` },
        key: true,
      });
  if (key.length === 0) scope.lint.report([], 'mapping/missing-key', { value: 'key', key: true });
  const keyPath = 'record' in one_per ? ['key'] : ['one_per', 'key'];
  const { asks } = 'key' in one_per ? one_per : {};
  if (asks !== undefined) paramOf(scope, asks.param, ['one_per', 'asks', 'param']);
  const asked = asks === undefined ? [] : [asks.columns].flat();
  for (const table of mains) {
    for (const id of key) columnOf({ ...scope, open: [table] }, id, keyPath);
    for (const id of asked) columnOf({ ...scope, open: [table] }, id, ['one_per', 'asks', 'columns']);
  }
  return { mains, key };
}

/** Returns the leaves of several kinds of document, each once; a leaf that the first kind lacks is optional. */
function fieldsOf(schema: SchemaName, targets: readonly CompiledTarget[]): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const [at, target] of targets.entries())
    for (const field of target.fields) {
      const parent = resolveNode(schema, field.keys.slice(0, -1)) ?? field.parent;
      const path = field.path.join('\n');
      if (at === 0) fields.set(path, field);
      else if (!fields.has(path)) fields.set(path, { ...field, parent, required: false });
    }
  return [...fields.values()];
}

const HELD: Readonly<Partial<Record<NonNullable<SchemaNode['x-role']>, HeldTexts>>> = {
  'person-name': 'names',
  account: 'accounts',
  bank: 'banks',
};

const heldFor = ({ 'x-role': role }: SchemaNode): HeldTexts | undefined => role && HELD[role];

/** Says by which columns the records of each table are known, and which tables have one record a document. */
function identifyRecords(
  spec: MappingFile,
  tables: ReadonlyMap<string, CompiledTable>,
  {
    mains,
    key,
    joined,
  }: Record<'mains' | 'joined', readonly CompiledTable[]> & { readonly key: readonly string[] },
): void {
  const once = 'key' in spec.one_per ? joined : [...mains, ...joined];
  for (const table of once) table.single = table.spec.side_by_side === undefined;
  for (const table of tables.values()) {
    const ids = mains.includes(table)
      ? key.flatMap((id) => table.columns.get(id) ?? [])
      : joiningColumns(table.join);
    if (table.parent === undefined && table.spec.param === undefined) table.identity = ids;
  }
}

/** Compiles the document of each schema that the mapping makes, with the columns whose faults put it at risk. */
function compileTargets(
  spec: MappingFile,
  choices: readonly NamedTarget[],
  scope: Scope,
  checking: Scope,
): readonly CompiledTarget[] {
  const uses = scope.notes;
  const shared = uses.gates.length;
  const schemas = choices.map(({ schema }) => schema);
  const compiled = choices.map(({ schema, when, path }) => {
    const before = uses.gates.length;
    const condition =
      when === undefined ? undefined : formulaSource(scope, when, [...path.slice(0, -1), 'when'], 'boolean');
    const elsewhere = (keys: readonly string[]): boolean =>
      choices.some((other) => other.schema !== schema && resolveNode(other.schema, keys) !== undefined);
    const derived = new Set(derivedLeaves(schema).values());
    return {
      schema,
      ...(condition && { when: condition }),
      ...compileDocument(
        { ...scope, target: schema, derived, elsewhere, mapping: spec.name },
        spec.document as Block,
      ),
      gates: [...uses.gates.slice(0, shared), ...uses.gates.slice(before)],
      stated: compileStated(spec, schema, schemas, checking),
    };
  });
  for (const field of compiled.flatMap(({ fields }) => fields))
    for (const column of readBy(field)) column.holds ??= heldFor(field.node);
  const riskOf = bitsOfGates(uses);
  return compiled.map(({ gates, ...target }) => ({ ...target, atRisk: riskOf(gates) }));
}

/** Compiles a mapping of the right shape. @throws PipelineError (`mapping`) for parts that do not fit together */
function compile(
  source: YamlSource,
  spec: MappingFile,
  lint: Lint,
  folder: string | undefined,
): LoadedMapping {
  const choices = targetsOf(spec, lint, folder);
  const settled = loadDecisions(spec, folder, lint);
  const { decisions } = settled;
  checkDecisions(settled);
  const words = synonymsOf(spec, lint);
  // Every other issue would be about columns without words.
  if (words === undefined) return refuse(lint);
  const synonyms = withDecisions(words, decisions);
  const params = compileParams(spec.params ?? {}, lint);
  const uses = noUsedColumns();
  const control = noUsedColumns();
  const tables = compileTables({ file: spec, synonyms, params, lint, uses, control });
  checkChoices(settled, tables);
  if (settled.lint !== lint) lint.issues.push(...settled.lint.issues);
  const closed: Scope = { lint, tables, open: [], params, synonyms, named: new Map(), notes: uses };
  const { mains: found, key } = mainsOf(spec, closed);
  const mains = nonEmpty(found);
  const [first] = choices;
  if (first === undefined || mains === undefined) return refuse(lint);
  compileJoins(closed, mains);
  compileLists(closed);
  const joined = [...tables.values()].filter(({ join }) => join?.many === false);
  identifyRecords(spec, tables, { mains, key, joined });
  const unnamed: Scope = { ...closed, open: [...mains, ...joined] };
  const scope: Scope = { ...unnamed, named: compileNamedValues(unnamed, spec.values ?? {}) };
  const checking: Scope = { ...scope, notes: control };
  const schemas = choices.map(({ schema }) => schema);
  const targets = compileTargets(spec, choices, scope, checking);
  const shown = deciding(scope); // what is shown alone is in no document
  const display = (spec.display ?? []).flatMap((id, index) => columnOf(shown, id, ['display', index]) ?? []);
  const details = new Map(
    Object.entries(spec.details ?? {}).map(
      ([name, ids]) =>
        [name, [ids].flat().flatMap((id) => columnOf(scope, id, ['details', name]) ?? [])] as const,
    ),
  );
  const conditions = targets.flatMap((target) => target.conditions);
  const root = resolved(rootNode(first.schema));
  for (const { where } of scope.named.values()) addCondition(conditions, root, where);
  return {
    file: source.file,
    name: spec.name,
    sha256: createHash('sha256').update(source.text).update(JSON.stringify(decisions)).digest('hex'),
    spec,
    target: first.schema,
    targets,
    params,
    tables,
    fields: fieldsOf(first.schema, targets),
    conditions,
    synonyms,
    mains,
    onePer: 'record' in spec.one_per ? 'record' : 'key',
    display,
    details,
    checks: compileChecks(checking, schemas, spec.checks),
    batch: compileBatchChecks(checking, spec.batch),
    rules: compileRuleLevels(scope, spec.rules, ruleCodes()),
    roles: rolesOf(uses, control, tables.values()),
    leftAside: compileIgnoredSheets(spec, lint),
    key: nonEmpty(key) ?? refuse(lint), // last, so that all other issues are reported too
  };
}

/**
 * Reads, lints and compiles a mapping file.
 * @throws PipelineError (`mapping`) with all issues, each at its line and column
 */
export const loadMapping = async (file: string): Promise<LoadedMapping> => readMapping(file);

/** Reads a mapping file synchronously; see {@link loadMapping}. */
export function readMapping(file: string): LoadedMapping {
  let text: string;
  try {
    text = readSmallText(file);
  } catch (cause) {
    stop('mapping', { code: 'mapping/not-readable', value: file, place: { file: basename(file) } }, cause);
  }
  return compileMapping(basename(file), text, dirname(file));
}

/** Compiles the text of a mapping; files that it names are sought in `folder`. See {@link loadMapping}. */
export function compileMapping(file: string, text: string, folder?: string): LoadedMapping {
  const source = readMappingSource(file, text, folder);
  const lint = createLint(source);
  if (lint.issues.length > 0) refuse(lint);
  const open = reportOpen(lint, source.value);
  if (!lint.shipped) reportClosed(lint, checkFileShape('mapping', source.value, ['document']), open);
  if (lint.issues.length > 0) refuse(lint);
  const mapping = compile(source, source.value as unknown as MappingFile, lint, folder);
  if (lint.issues.length > 0) refuse(lint);
  return mapping;
}

function refuse({ issues }: Lint): never {
  throw new PipelineError('mapping', issues);
}

/** Reports open choices as questions and returns them. */
function reportOpen(lint: Lint, value: JsonValue): readonly OpenChoice[] {
  const open = openChoices(value);
  for (const { path, undecided } of open)
    lint.report(path, 'mapping/undecided', { value: undecided.id, params: { question: undecided.question } });
  return open;
}

/** Reports the faults of shape that open choices do not explain. */
function reportClosed(lint: Lint, faults: readonly ShapeFault[], open: readonly OpenChoice[]): void {
  const asked = new Set(open.map(({ path }) => path.join('/')));
  // What has forms to choose from fits none of them while a part of it is open.
  const around = new Set(open.map(({ path }) => path.slice(0, -1).join('/')));
  const closed = faults.filter(({ kind, path }) => {
    const at = path.join('/');
    return !asked.has(at) && !(kind === 'unknown-key' && around.has(at));
  });
  reportShape(lint, [], closed);
}
