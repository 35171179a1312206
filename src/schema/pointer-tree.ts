import type { JsonValue } from '../values/json.js';
import { parsePointer } from '../values/pointer.js';

/** Few enough keys to ask an object for each of them rather than to look at all that it has. */
const FEW = 8;

type Meet<T> = (value: JsonValue, ends: readonly T[]) => void;

/**
 * Pointers as one tree; what stands for a pointer lies where it ends. `*` stands for every item of a list, `^` for the
 * item that the walk was begun at, or stands in: the one whose index is at that depth of the path it was given.
 */
export class PointerTree<T> {
  readonly ends: T[] = [];
  private readonly keys: string[] = [];
  private readonly nodes: PointerTree<T>[] = [];
  private readonly byKey = new Map<string, PointerTree<T>>();

  constructor(private readonly depth = 0) {}

  add(pointer: string, end: T): void {
    let node: PointerTree<T> = this;
    for (const key of parsePointer(pointer)) node = node.byKey.get(key) ?? node.grow(key);
    node.ends.push(end);
  }

  private grow(key: string): PointerTree<T> {
    const node = new PointerTree<T>(this.depth + 1);
    this.keys.push(key);
    this.nodes.push(node);
    this.byKey.set(key, node);
    return node;
  }

  /**
   * Meets every value that a pointer leads to. Walks what the document has rather than what it might have: most
   * concepts are absent, and cost nothing. `path` holds the keys down to the value while it is met.
   */
  walk(value: JsonValue, path: (string | number)[], meet: Meet<T>): void {
    if (this.ends.length > 0) meet(value, this.ends);
    if (this.keys.length === 0 || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      const own = this.byKey.get('^');
      const at = own && path[this.depth];
      if (typeof at === 'number' && at < value.length) own!.below(at, value[at]!, path, meet);
      const items = this.byKey.get('*');
      if (items === undefined) return;
      for (let index = 0; index < value.length; index++) items.below(index, value[index]!, path, meet);
    } else if (this.keys.length <= FEW) {
      for (let index = 0; index < this.keys.length; index++) {
        const key = this.keys[index]!;
        const inner = value[key];
        if (inner !== undefined) this.nodes[index]!.below(key, inner, path, meet);
      }
    } else {
      for (const key in value) this.byKey.get(key)?.below(key, value[key]!, path, meet);
    }
  }

  private below(key: string | number, value: JsonValue, path: (string | number)[], meet: Meet<T>): void {
    path.push(key);
    this.walk(value, path, meet);
    path.pop();
  }
}
