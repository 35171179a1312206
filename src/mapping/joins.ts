import { suggest } from '../values/similar.js';
import type { CompiledColumn } from './columns.js';
import type { CompiledTable } from './tables.js';
import { columnOf, findColumn, type Workbench } from './workbench.js';

/** How records of a table belong to documents: the columns that agree, of this table and of the documents' own. */
export interface Join {
  /** Its records belong to every document: there is nothing that agrees. */
  readonly every: boolean;
  readonly own: readonly CompiledColumn[];
  /** Ids of columns of the documents' own tables, or `table.column` of a table joined above. */
  readonly theirs: readonly string[];
  /** Whose a record is: pairs of a column of this table and the id of one of the main tables. */
  readonly whose: readonly { readonly own: CompiledColumn; readonly theirs: string }[];
  readonly many: boolean;
  readonly missing: 'error' | 'warning' | 'ignore';
  readonly orphan: 'error' | 'warning' | 'ignore';
}

/** Whether `table.column` is of a joined table that stands above and has one record at most. */
function isJoinedAbove({ tables }: Workbench, below: CompiledTable, id: string): boolean {
  const [name, column] = id.split('.');
  const above = column === undefined ? undefined : tables.get(name!);
  return above?.join?.many === false && above.slot < below.slot && above.columns.has(column!);
}

/** Joins, once it is known which tables make the documents. */
export function compileJoins(bench: Workbench, mains: readonly CompiledTable[]): void {
  for (const table of bench.tables.values()) {
    const { join, role } = table.spec;
    if (mains.includes(table))
      for (const key of ['join', 'role'] as const)
        if (key === 'join' ? join !== undefined : role !== undefined && role !== 'data')
          bench.lint.report(['tables', table.id, key], 'mapping/no-effect', {
            value: key,
            params: { needs: 'a table outside one_per' },
            key: true,
          });
    if (join === undefined || mains.includes(table)) continue;
    const path = ['tables', table.id, 'join'];
    const { on = [], every = false } = join;
    const pairs =
      typeof on === 'string' || Array.isArray(on)
        ? [on].flat().map((id) => [id, id] as const)
        : Object.entries(on);
    const own = pairs.flatMap(([id]) => columnOf({ ...bench, open: [table] }, id, [...path, 'on']) ?? []);
    const theirs = pairs.flatMap(([, id]) => {
      if (mains.every(({ columns }) => columns.has(id)) || isJoinedAbove(bench, table, id)) {
        for (const main of mains) findColumn({ ...bench, open: [main] }, id);
        return [id];
      }
      const known = mains.flatMap(({ columns }) => [...columns.keys()]);
      bench.lint.report([...path, 'on'], 'mapping/unknown-column', {
        value: id,
        suggestions: suggest(id, known, 1),
      });
      return [];
    });
    const whose = Object.entries(join.whose ?? {}).flatMap(([id, other]) => {
      const column = columnOf({ ...bench, open: [table] }, id, [...path, 'whose', id]);
      if (mains.every(({ columns }) => columns.has(other)))
        return column ? [{ own: column, theirs: other }] : [];
      const value = other;
      bench.lint.report([...path, 'whose', id], 'mapping/unknown-column', { value });
      return [];
    });
    if (whose.length > 0 && theirs.some((id) => id.includes('.')))
      bench.lint.report([...path, 'whose'], 'mapping/no-effect', {
        value: 'whose',
        params: { needs: 'on columns of the main tables' },
        key: true,
      });
    const side = table.spec.role === 'side';
    table.join = {
      every,
      own,
      theirs,
      whose,
      many: join.many === true,
      missing: join.missing ?? 'ignore',
      orphan: join.orphan ?? (side || every ? 'ignore' : 'error'),
    };
  }
}
