import type { Collection, Store } from '../store.js';

export interface Row {
  readonly id: number;
  /** NIT of the company that made it. */
  readonly company: string;
}

/** Rows with ids counted over the whole service, as in its database; no id is given twice. */
export interface Table<T extends Row> {
  add(row: Omit<T, 'id'>): T;
  /** The row, when it is the company's own. */
  own(company: string, id: unknown): T | undefined;
  put(row: T): void;
  delete(row: T): void;
  /** The row of any company that has the value in a column declared unique. */
  holder(column: keyof T & string, value: unknown): T | undefined;
  all(): readonly T[];
  ofCompany(company: string): readonly T[];
}

export function openTable<T extends Row>(
  store: Store,
  name: string,
  unique: readonly (keyof T & string)[] = [],
): Table<T> {
  const rows: Collection<T> = store.collection(name);
  const lastIds: Collection<number> = store.collection('lastIds');
  const holders = new Map(unique.map((column) => [column as string, new Map<unknown, number>()]));

  const index = (row: T): void => {
    for (const [column, byValue] of holders) byValue.set(row[column as keyof T], row.id);
  };
  const forget = (row: T): void => {
    for (const [column, byValue] of holders) byValue.delete(row[column as keyof T]);
  };
  const put = (row: T): void => {
    const before = rows.get(String(row.id));
    if (before !== undefined) forget(before);
    rows.put(String(row.id), row);
    index(row);
  };

  for (const row of rows.values()) index(row);
  return {
    add: (columns) => {
      const id = (lastIds.get(name) ?? 0) + 1;
      lastIds.put(name, id);
      const row = { id, ...columns } as T;
      put(row);
      return row;
    },
    own: (company, id) => {
      const row = rows.get(String(id));
      return row?.company === company ? row : undefined;
    },
    put,
    delete: (row) => {
      forget(row);
      rows.delete(String(row.id));
    },
    holder: (column, value) => rows.get(String(holders.get(column)?.get(value) ?? '')),
    all: () => [...rows.values()],
    ofCompany: (company) => [...rows.values()].filter((row) => row.company === company),
  };
}
