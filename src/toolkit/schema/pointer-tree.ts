import { type JsonValue, parsePointer } from '../core/json.js';

type Path = (string | number)[];
type Meet<T> = (value: JsonValue, ends: readonly T[]) => void;
type Walk<T> = (value: JsonValue, path: Path, meet: Meet<T>) => void;

/** A place in the tree; `ends` stand for the pointers that lead just here. */
interface Node<T> {
  readonly ends: T[];
  readonly keys: Map<string, Node<T>>;
}

const grown = <T>(): Node<T> => ({ ends: [], keys: new Map() });

/**
 * Pointers as one tree; what stands for a pointer lies where it ends. `*` stands for every item of a list, `^` for the
 * item that the walk was begun at, or stands in: the one whose index is at that depth of the path it was given.
 */
export class PointerTree<T> {
  private readonly root: Node<T> = grown();
  private tracked: Walk<T> | undefined;
  private untracked: Walk<T> | undefined;

  add(pointer: string, end: T): void {
    let node = this.root;
    for (const key of parsePointer(pointer)) {
      let next = node.keys.get(key);
      if (next === undefined) {
        next = grown();
        node.keys.set(key, next);
      }
      node = next;
    }
    node.ends.push(end);
    this.tracked = undefined;
    this.untracked = undefined;
  }

  /**
   * Meets every value that a pointer leads to. Walks what the document has rather than what it might have: most
   * concepts are absent, and cost nothing. `path` holds the keys down to the value while it is met.
   */
  walk(value: JsonValue, path: Path, meet: Meet<T>): void {
    this.tracked ??= compileWalk(this.root, true);
    this.tracked(value, path, meet);
  }

  /** The same, where nobody asks how one came to the value: `path` stays as it is. */
  each(value: JsonValue, path: Path, meet: Meet<T>): void {
    this.untracked ??= compileWalk(this.root, false);
    this.untracked(value, path, meet);
  }
}

/**
 * The walk as JavaScript of its own, as formulas are: every document takes it, and a loop over nodes takes several times
 * as long. Only keys as JSON, and numbers of functions and constants, enter the source.
 */
function compileWalk<T>(root: Node<T>, tracks: boolean): Walk<T> {
  const ends: (readonly T[])[] = [];
  const functions: string[] = [];

  /** What happens to the value in the variable `x` at a node. */
  const visit = (node: Node<T>, depth: number): string => {
    const meet = node.ends.length === 0 ? '' : `meet(x, ends[${ends.push(node.ends) - 1}]);`;
    return node.keys.size === 0 ? meet : `${meet} ${below(node, depth)}(x, path, meet);`;
  };
  const under = (key: string, node: Node<T>, depth: number): string =>
    tracks ? `path.push(${key}); ${visit(node, depth)} path.pop();` : visit(node, depth);

  const inList = ({ keys }: Node<T>, depth: number): string => {
    const own = keys.get('^');
    const items = keys.get('*');
    return [
      own === undefined
        ? ''
        : `const at = path[${depth}];
           if (typeof at === 'number' && at < v.length) { const x = v[at]; ${under('at', own, depth + 1)} }`,
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
  /** The function that walks on below a node; gives its name. */
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
