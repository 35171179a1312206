import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Block, MappingFile, Table } from '../generated/mapping-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { PipelineError, stop } from '../issues/pipeline-error.js';
import { checkFileShape } from '../schema/file-shape.js';
import { isSchemaName, schemaNames } from '../schema/registry.js';
import { derivedLeaves, derivedNames } from '../schema/rules.js';
import { suggest } from '../values/similar.js';
import { type CompiledColumn, compileColumns } from './columns.js';
import { createLint, type Lint } from './lint.js';
import { type CompiledParam, compileParams } from './params.js';
import { formulaSource } from './source.js';
import { loadSynonyms, mergeSynonyms, NO_SYNONYMS, type Synonyms } from './synonyms.js';
import { type CompiledTree, compileTree } from './tree.js';
import { columnOf, type Source, type Workbench } from './workbench.js';
import { readYaml } from './yaml-source.js';

/** Records that are no data, and why. */
export interface Skip {
  readonly when: Source;
  readonly note: string;
}

export interface CompiledTable {
  readonly id: string;
  readonly spec: Table;
  readonly columns: ReadonlyMap<string, CompiledColumn>;
  readonly skips: readonly Skip[];
}

/** A mapping that has passed its lint. */
export interface LoadedMapping {
  readonly file: string;
  readonly name: string;
  readonly sha256: string;
  readonly target: SchemaName;
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly table: CompiledTable;
  readonly key: CompiledColumn;
  readonly display: readonly CompiledColumn[];
  readonly tree: CompiledTree;
  /** Name of a derived total → the column that states it. */
  readonly stated: ReadonlyMap<string, CompiledColumn>;
}

/** Reads, lints and compiles a mapping file. Throws PipelineError('mapping') with every finding at its line and column. */
export async function loadMapping(file: string): Promise<LoadedMapping> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    stop('mapping', { code: 'mapping/not-readable', value: file, place: { file: basename(file) } }, cause);
  }
  return compileMapping(basename(file), text);
}

/** The same for a text. */
export function compileMapping(file: string, text: string): LoadedMapping {
  const source = readYaml(file, text);
  const lint = createLint(source);
  refuse(lint);
  checkShape(lint, source.value);
  refuse(lint);
  const spec = source.value as unknown as MappingFile;
  const mapping = compile(file, text, spec, lint);
  refuse(lint);
  return mapping!;
}

function refuse({ issues }: Lint): void {
  if (issues.length > 0) throw new PipelineError('mapping', issues);
}

function checkShape(lint: Lint, value: Parameters<typeof checkFileShape>[1]): void {
  for (const fault of checkFileShape('mapping', value, ['document'])) {
    if (fault.kind === 'unknown-key')
      lint.report([...fault.path, fault.key!], 'mapping/unknown-key', {
        value: fault.key!,
        suggestions: suggest(fault.key!, fault.known, 1),
        key: true,
      });
    else if (fault.kind === 'missing-key')
      lint.report(fault.path, 'mapping/missing-key', { value: fault.key!, key: true });
    else lint.report(fault.path, 'mapping/shape', { params: { expected: fault.expected } });
  }
}

function loadAllSynonyms(names: readonly string[], lint: Lint): Synonyms {
  const all = names.map((name, index) => {
    const found = loadSynonyms(name);
    if (found === undefined) lint.report(['synonyms', index], 'mapping/unknown-synonyms', { value: name });
    return found ?? NO_SYNONYMS;
  });
  return mergeSynonyms(all);
}

function compileStated(
  spec: MappingFile,
  target: SchemaName,
  bench: Workbench,
): ReadonlyMap<string, CompiledColumn> {
  const known = derivedNames(target);
  return new Map(
    Object.entries(spec.stated ?? {}).flatMap(([name, { from }]) => {
      if (!known.includes(name))
        bench.lint.report(['stated', name], 'mapping/unknown-total', {
          value: name,
          params: { known: known.join(', ') },
          suggestions: suggest(name, known, 1),
          key: true,
        });
      const column = columnOf(bench, from, ['stated', name, 'from']);
      return column === undefined ? [] : [[name, column] as const];
    }),
  );
}

function compile(file: string, text: string, spec: MappingFile, lint: Lint): LoadedMapping | undefined {
  if (!isSchemaName(spec.target)) {
    lint.report(['target'], 'mapping/unknown-schema', {
      value: spec.target,
      suggestions: suggest(spec.target, schemaNames(), 1),
    });
    return undefined;
  }
  const target = spec.target;
  const tableId = spec.one_per.record;
  const table = spec.tables[tableId];
  if (table === undefined) {
    lint.report(['one_per', 'record'], 'mapping/unknown-table', {
      value: tableId,
      suggestions: suggest(tableId, Object.keys(spec.tables), 1),
    });
    return undefined;
  }
  const synonyms = loadAllSynonyms(spec.synonyms ?? [], lint);
  const params = compileParams(spec.params ?? {}, lint);
  const path = ['tables', tableId];
  const columns = compileColumns(table, synonyms, lint, path);
  const bench: Workbench = { lint, columns, params, synonyms };

  const skips = (table.skip ?? []).flatMap(({ when, note }, index) => {
    const source = formulaSource(bench, when, [...path, 'skip', index, 'when'], 'boolean');
    return source === undefined ? [] : [{ when: source, note }];
  });
  for (const [index, id] of (table.header?.must_have ?? []).entries())
    columnOf(bench, id, [...path, 'header', 'must_have', index]);
  const key = columnOf(bench, spec.key, ['key']);
  const display = (spec.display ?? []).flatMap((id, index) => columnOf(bench, id, ['display', index]) ?? []);
  const stated = compileStated(spec, target, bench);
  const tree = compileTree(
    { ...bench, target, derived: new Set(derivedLeaves(target).values()) },
    spec.document as Block,
  );
  if (key === undefined) return undefined;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return {
    file,
    name: spec.name,
    sha256,
    target,
    params,
    table: { id: tableId, spec: table, columns, skips },
    key,
    display,
    tree,
    stated,
  };
}
