import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { catalogue } from '../catalogue/catalogue.js';
import { ownSheetName, TEMPLATE_SHEETS } from '../document/template-plan.js';
import type { Block, Decisions, MappingFile, TargetChoice } from '../generated/mapping-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { isSchemaName, resolveNode, schemaNames } from '../schema/registry.js';
import { derivedLeaves, derivedNames, ruleCodes } from '../schema/rules.js';
import { fold, wildcard } from '../values/fold.js';
import { suggest } from '../values/similar.js';
import {
  type CompiledBatchCheck,
  compileBatchChecks,
  compileChecks,
  compileRuleLevels,
  type DocumentCheck,
  type RuleLevel,
} from './checks.js';
import type { CompiledColumn } from './columns.js';
import { compileJoins } from './joins.js';
import type { Lint } from './lint.js';
import { fileBeside } from './mapping-source.js';
import { compileNamedValues } from './named-values.js';
import { type CompiledParam, compileParams } from './params.js';
import { type AtRisk, bitsOfGates, type Roles, rolesOf } from './roles.js';
import { formulaSource, fromSource } from './source.js';
import { loadSynonyms, mergeSynonyms, NO_SYNONYMS, type Synonyms, withDecisions } from './synonyms.js';
import { type CompiledTable, compileTables } from './tables.js';
import { type CompiledTree, compileTree } from './tree.js';
import { columnOf, namedBy, type Source, tableOf, type Workbench } from './workbench.js';
import { readSmallText, readYaml, type YamlSource } from './yaml-source.js';

/** One kind of document that a mapping makes. */
export interface CompiledTarget {
  readonly schema: SchemaName;
  /** Whether a document is of this kind; without it every one is. */
  readonly when?: Source;
  readonly tree: CompiledTree;
  /** Name of a derived total → what states it. */
  readonly stated: ReadonlyMap<string, Source>;
  readonly atRisk: AtRisk;
}

/** A mapping that has passed its lint. */
export interface LoadedMapping {
  readonly file: string;
  readonly name: string;
  readonly sha256: string;
  readonly spec: MappingFile;
  /** The first target's schema. */
  readonly target: SchemaName;
  readonly targets: readonly CompiledTarget[];
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly tables: ReadonlyMap<string, CompiledTable>;
  /** The tables whose records make documents. */
  readonly mains: readonly CompiledTable[];
  /** Whether each record makes a document, or all records of a key. */
  readonly onePer: 'record' | 'key';
  /** Ids of the columns of `mains` that people know a document by. */
  readonly key: readonly string[];
  readonly display: readonly CompiledColumn[];
  readonly checks: readonly DocumentCheck[];
  readonly batch: readonly CompiledBatchCheck[];
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly roles: Roles;
  /** Why a sheet of that name is left aside, if it is. */
  readonly leftAside: (sheet: string) => LeftAside | undefined;
}

interface LeftAside {
  readonly reason: string;
  /** A table may read it all the same. */
  readonly yields?: true;
}

const OF_TEMPLATE: LeftAside = { reason: 'hoja de la plantilla / sheet of the template', yields: true };

/** What the mapping leaves aside, and sheets that templates have beside those to fill. */
function compileIgnoredSheets(
  { ignore_sheets = [], tables }: MappingFile,
  lint: Lint,
): LoadedMapping['leftAside'] {
  const named = Object.entries(tables).flatMap(([id, { sheet = [] }]) =>
    [sheet]
      .flat()
      .filter((name) => !/[*?]/.test(name))
      .map((name) => ({ id, name: fold(name) })),
  );
  const declined = ignore_sheets.flatMap(({ sheets, reason }, index) => {
    const at = ['ignore_sheets', index];
    const tests = [sheets].flat().map((pattern) => wildcard(pattern));
    const fits = (name: string): boolean => tests.some((test) => test(name));
    const wanted = named.filter(({ name }) => fits(name));
    // What the base leaves aside, a mapping on top of it may want.
    if (!lint.inherits(at))
      for (const { id } of wanted) lint.report(at, 'mapping/ignored-sheet-wanted', { value: id });
    const excepted = new Set(wanted.map(({ name }) => name));
    return [{ fits: (name: string): boolean => !excepted.has(name) && fits(name), reason }];
  });
  const own = new Set(
    Object.values(TEMPLATE_SHEETS)
      .flatMap((name) => Object.values(name))
      .flatMap((name) => [false, true].map((isTaken) => fold(ownSheetName(name, isTaken)))),
  );
  return (sheet) => {
    const name = fold(sheet);
    const found = declined.find(({ fits }) => fits(name));
    return found ? { reason: found.reason } : own.has(name) ? OF_TEMPLATE : undefined;
  };
}

function loadAllSynonyms(names: readonly string[], lint: Lint): Synonyms {
  const all = names.map((name, index) => {
    const found = loadSynonyms(name);
    if (found === undefined) lint.report(['synonyms', index], 'mapping/unknown-synonyms', { value: name });
    return found ?? NO_SYNONYMS;
  });
  return mergeSynonyms(all);
}

function loadDecisions(spec: MappingFile, folder: string | undefined, lint: Lint): Decisions {
  const { decisions = {} } = spec;
  if (typeof decisions !== 'string') return decisions;
  const file = folder === undefined ? undefined : fileBeside(decisions, folder);
  if (file === undefined) {
    lint.report(['decisions'], 'mapping/no-decisions', { value: decisions });
    return {};
  }
  const source = readYaml(basename(file), readSmallText(file));
  lint.issues.push(...source.issues);
  return (source.value ?? {}) as Decisions;
}

/** A decision for a list or a code that is not there settles nothing. */
function checkDecisions({ values = {} }: Decisions, lint: Lint): void {
  for (const [name, words] of Object.entries(values)) {
    const list = catalogue(name);
    if (list === undefined) {
      lint.report(['decisions', 'values', name], 'mapping/unknown-catalogue', { value: name, key: true });
      continue;
    }
    for (const [word, code] of Object.entries(words))
      if (!list.rows.some((row) => row['code'] === String(code)))
        lint.report(['decisions', 'values', name, word], 'mapping/unknown-code', {
          value: String(code),
          params: { catalogue: name },
        });
  }
}

/** Schemas of the targets; an unknown one is a lint error. */
function targetsOf(
  { target }: MappingFile,
  lint: Lint,
): (TargetChoice & { schema: SchemaName; path: (string | number)[] })[] {
  const choices: TargetChoice[] = typeof target === 'string' ? [{ schema: target }] : target;
  return choices.flatMap((choice, index) => {
    const path = typeof target === 'string' ? ['target'] : ['target', index, 'schema'];
    const { schema } = choice;
    if (isSchemaName(schema)) return [{ ...choice, schema, path }];
    lint.report(path, 'mapping/unknown-schema', {
      value: schema,
      suggestions: suggest(schema, schemaNames(), 1),
    });
    return [];
  });
}

function compileStated(
  spec: MappingFile,
  target: SchemaName,
  all: readonly SchemaName[],
  bench: Workbench,
): ReadonlyMap<string, Source> {
  const own = derivedNames(target);
  const known = [...new Set(all.flatMap(derivedNames))];
  return new Map(
    Object.entries(spec.stated ?? {}).flatMap(([name, stated]) => {
      const path = ['stated', name];
      if (!known.includes(name))
        bench.lint.report(path, 'mapping/unknown-total', {
          value: name,
          params: { known: known.join(', ') },
          suggestions: suggest(name, known, 1),
          key: true,
        });
      const source = own.includes(name) ? fromSource(bench, stated, path) : undefined;
      return source === undefined ? [] : [[name, source] as const];
    }),
  );
}

/** The tables of `one_per` and the columns that tell documents apart. */
function mainsOf(spec: MappingFile, bench: Workbench): { mains: CompiledTable[]; key: string[] } {
  const { one_per } = spec;
  const ids = 'record' in one_per ? [one_per.record] : [one_per.of].flat();
  const path = ['one_per', 'record' in one_per ? 'record' : 'of'];
  const mains = ids.flatMap((id) => tableOf(bench, id, path) ?? []);
  const key = 'record' in one_per ? [spec.key ?? []].flat() : [one_per.key].flat();
  if ('key' in one_per && spec.key !== undefined && [spec.key].flat().join() !== key.join())
    bench.lint.report(['key'], 'mapping/no-effect', {
      value: 'key',
      params: { needs: 'one_per: { record }' },
      key: true,
    });
  if (key.length === 0) bench.lint.report([], 'mapping/missing-key', { value: 'key', key: true });
  const keyPath = 'record' in one_per ? ['key'] : ['one_per', 'key'];
  for (const table of mains) for (const id of key) columnOf({ ...bench, open: [table] }, id, keyPath);
  return { mains, key };
}

/** Compiles the parts of a mapping that has the right shape; what does not fit together is a lint error. */
export function compile(
  source: YamlSource,
  spec: MappingFile,
  lint: Lint,
  folder: string | undefined,
): LoadedMapping | undefined {
  const choices = targetsOf(spec, lint);
  const decisions = loadDecisions(spec, folder, lint);
  checkDecisions(decisions, lint);
  const synonyms = withDecisions(loadAllSynonyms(spec.synonyms ?? [], lint), decisions);
  const params = compileParams(spec.params ?? {}, lint);
  const uses = namedBy();
  const control = namedBy();
  const tables = compileTables({ file: spec, synonyms, params, lint, uses, control });
  const closed: Workbench = { lint, tables, open: [], params, synonyms, named: new Map(), notes: uses };
  const { mains, key } = mainsOf(spec, closed);
  const [first] = choices;
  if (first === undefined || mains.length === 0) return undefined;
  compileJoins(closed, mains);
  const joined = [...tables.values()].filter(({ join }) => join?.many === false);
  if (!('key' in spec.one_per)) for (const table of mains) table.single = true;
  for (const table of joined) table.single = true;
  for (const table of tables.values()) {
    const ids = mains.includes(table) ? key.flatMap((id) => table.columns.get(id) ?? []) : table.join?.own;
    if (table.parent === undefined && table.spec.param === undefined) table.identity = ids ?? [];
  }
  const unnamed: Workbench = { ...closed, open: [...mains, ...joined] };
  const bench: Workbench = { ...unnamed, named: compileNamedValues(unnamed, spec.values ?? {}) };
  const checking: Workbench = { ...bench, notes: control };
  const shared = uses.gates.length;
  const compiled = choices.map(({ schema, when, path }) => {
    const before = uses.gates.length;
    const condition =
      when === undefined ? undefined : formulaSource(bench, when, [...path.slice(0, -1), 'when'], 'boolean');
    const elsewhere = (keys: readonly string[]): boolean =>
      choices.some((other) => other.schema !== schema && resolveNode(other.schema, keys) !== undefined);
    const derived = new Set(derivedLeaves(schema).values());
    return {
      schema,
      ...(condition && { when: condition }),
      tree: compileTree(
        { ...bench, target: schema, derived, elsewhere, mapping: spec.name },
        spec.document as Block,
      ),
      gates: [...uses.gates.slice(0, shared), ...uses.gates.slice(before)],
      stated: compileStated(
        spec,
        schema,
        choices.map((choice) => choice.schema),
        checking,
      ),
    };
  });
  const display = (spec.display ?? []).flatMap((id, index) => columnOf(bench, id, ['display', index]) ?? []);
  const riskOf = bitsOfGates(uses);
  const targets = compiled.map(
    ({ gates, ...target }): CompiledTarget => ({ ...target, atRisk: riskOf(gates) }),
  );
  return {
    file: source.file,
    name: spec.name,
    sha256: createHash('sha256').update(source.text).update(JSON.stringify(decisions)).digest('hex'),
    spec,
    target: first.schema,
    targets,
    params,
    tables,
    mains,
    onePer: 'record' in spec.one_per ? 'record' : 'key',
    key,
    display,
    checks: compileChecks(checking, spec.checks),
    batch: compileBatchChecks(checking, spec.batch),
    rules: compileRuleLevels(bench, spec.rules, ruleCodes()),
    roles: rolesOf(uses, control, tables.values()),
    leftAside: compileIgnoredSheets(spec, lint),
  };
}
