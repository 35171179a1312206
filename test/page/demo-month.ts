import { afterAll, beforeAll } from 'vitest';
import type { UploadView } from '../../src/page/api.js';
import { ended, serveHere, type Visit, visit } from './visit.js';

/** The file of the demonstration, and its sheet. */
export const FILE = 'nomina-octubre-2026.xlsx';
export const SHEET = 'Nomina';

/** A server for the tests of a file, with one visitor. */
export function servedVisitor() {
  let served: Awaited<ReturnType<typeof serveHere>>;
  let ask: Visit;
  beforeAll(async () => {
    served = await serveHere();
    ask = await visit(served.link);
  });
  afterAll(() => served.close());
  const asking = <T>(...given: Parameters<Visit>): Promise<T> => ask<T>(...given);
  return {
    ask: Object.assign(asking, {
      text: (path: string) => ask.text(path),
      bytes: (path: string) => ask.bytes(path),
    }) as Visit,
    /** Opens the demonstration's month and inspects it; returns its upload. */
    async demo(): Promise<string> {
      const { id } = await ask<UploadView>('POST', '/uploads', { demo: true });
      await ended(ask, await ask('POST', `/uploads/${id}/tasks/inspect`, { options: {} }));
      return id;
    },
  };
}
