import { type JsonValue, parsePointer } from '../core/json.js';
import { getOrAdd } from '../core/remember.js';

type Path = (string | number)[];
type Meet<T> = (value: JsonValue, ends: readonly T[]) => void;
type Walk<T> = (value: JsonValue, path: Path, meet: Meet<T>) => void;

/** Node of the tree; `ends` are the values of pointers that end here. */
interface Node<T> {
  readonly ends: T[];
  readonly keys: Map<string, Node<T>>;
}

const grown = <T>(): Node<T> => ({ ends: [], keys: new Map() });

/**
 * Values by pointer, as a tree. `*` is every item of a list, `^` the item at that depth of the path that the
 * walk got.
 */
export class PointerTree<T> {
  private readonly root: Node<T> = grown();
  private tracked: Walk<T> | undefined;
  private untracked: Walk<T> | undefined;

  add(pointer: string, end: T): void {
    let node = this.root;
    for (const key of parsePointer(pointer)) {
      const next = getOrAdd(node.keys, key, () => grown());
      node = next;
    }
    node.ends.push(end);
    this.tracked = undefined;
    this.untracked = undefined;
  }

  /**
   * Calls `meet` for every value at a pointer. Walks what the document has: absent lists cost nothing. `path`
   * holds the keys of the value during the call.
   */
  walk(value: JsonValue, path: Path, meet: Meet<T>): void {
    this.tracked ??= compileWalk(this.root, true);
    this.tracked(value, path, meet);
  }

  /** Calls `meet` without maintaining `path`. */
  each(value: JsonValue, path: Path, meet: Meet<T>): void {
    this.untracked ??= compileWalk(this.root, false);
    this.untracked(value, path, meet);
  }
}

/**
 * Compiles the walk to JavaScript: every document takes it, and a loop over nodes takes several times as long.
 * Only JSON keys and numbers of functions and constants enter the source.
 */
function compileWalk<T>(root: Node<T>, tracks: boolean): Walk<T> {
  const ends: (readonly T[])[] = [];
  const functions: string[] = [];

  /** Writes the code for the value `x` at a node. */
  const visit = (node: Node<T>, depth: number): string => {
    const meet = node.ends.length === 0 ? '' : `meet(x, ends[${ends.push(node.ends) - 1}]);`;
    return node.keys.size === 0 ? meet : `${meet} ${below(node, depth)}(x, path, meet);`;
  };
  const under = (key: string, node: Node<T>, depth: number): string =>
    tracks ? `path.push(${key}); ${visit(node, depth)} path.pop();` : visit(node, depth);

  const inList = ({ keys }: Node<T>, depth: number): string => {
    const current = keys.get('^');
    const items = keys.get('*');
    return [
      current === undefined
        ? ''
        : `const at = path[${depth}];
           if (typeof at === 'number' && at < v.length) { const x = v[at]; ${under('at', current, depth + 1)} }`,
      items === undefined
        ? ''
        : `for (let i = 0; i < v.length; i++) { const x = v[i]; ${under('i', items, depth + 1)} }`,
    ].join('\n');
  };
  const inObject = (entries: readonly (readonly [string, Node<T>])[], depth: number): string =>
    entries
      .map(([name, node]) => {
        const key = JSON.stringify(name);
        return `{ const x = v[${key}]; if (x !== undefined) { ${under(key, node, depth + 1)} } }`;
      })
      .join('\n');
  /** Writes the function that walks on below a node; returns its name. */
  const below = (node: Node<T>, depth: number): string => {
    const list = inList(node, depth);
    const named = [...node.keys].filter(([key]) => key !== '*' && key !== '^');
    const object = inObject(named, depth);
    const name = `w${functions.length}`;
    functions.push(
      `const ${name} = (v, path, meet) => {
         if (typeof v !== 'object' || v === null) return;
         if (Array.isArray(v)) { ${list} } else { ${object} }
       };`,
    );
    return name;
  };

  const start = visit(root, 0);
  const make = new Function('ends', `${functions.join('\n')}\nreturn (x, path, meet) => { ${start} };`) as (
    ends: readonly (readonly T[])[],
  ) => Walk<T>;
  return make(ends);
}
