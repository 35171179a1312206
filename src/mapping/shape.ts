import type { ShapeFault } from '../schema/file-shape.js';
import { suggest } from '../values/similar.js';
import type { Lint } from './lint.js';
import type { YamlPath } from './yaml-source.js';

/** Reports what a part of a mapping has wrong in its shape, at the keys and values of the file. */
export function reportShape(lint: Lint, path: YamlPath, faults: readonly ShapeFault[]): void {
  for (const fault of faults) {
    const at = [...path, ...fault.path];
    if (fault.kind === 'unknown-key')
      lint.report([...at, fault.key!], 'mapping/unknown-key', {
        value: fault.key!,
        suggestions: suggest(fault.key!, fault.known, 1),
        key: true,
      });
    else if (fault.kind === 'missing-key')
      lint.report(at, 'mapping/missing-key', { value: fault.key!, key: true });
    else lint.report(at, 'mapping/shape', { params: { expected: fault.expected } });
  }
}
