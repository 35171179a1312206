import { request } from 'undici';
import type { TaskView } from '../../src/page/api.js';
import { startWeb } from '../../src/page/server/server.js';
import { fake } from '../cli/fake-context.js';

/** Asks the server as the page does. */
export interface Visit {
  <T = unknown>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T>;
  text(path: string): Promise<string>;
  bytes(path: string): Promise<Buffer>;
}

/** The page's server within the process of the test, for what needs none of its own. */
export async function serveHere(given: Parameters<typeof fake>[0] = {}) {
  const { tell: _t, taken: _k, ask: _a, onInterrupt: _i, ...surroundings } = fake(given).context;
  const { invite, close } = await startWeb({ surroundings, options: {} });
  return { link: invite(), close };
}

/** Comes in by a link, and stays. */
export async function visit(link: string): Promise<Visit> {
  const { origin } = new URL(link);
  const { headers } = await request(link);
  return visitWith(origin, String(headers['set-cookie']).split(';')[0]!);
}

/** Asks as a visitor who is in already, by the cookie of a browser. */
export function visitWith(origin: string, cookie: string): Visit {
  const asked = async (method: string, path: string, body?: unknown): Promise<Buffer> => {
    const isFile = Buffer.isBuffer(body);
    const { statusCode, body: said } = await request(`${origin}/api${path}`, {
      method: method as 'GET',
      headers: {
        cookie,
        origin,
        ...(body !== undefined && {
          'content-type': isFile ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await said.arrayBuffer());
    if (statusCode !== 200) throw new Error(`${statusCode} ${bytes.toString()}`);
    return bytes;
  };
  return Object.assign(
    async <T>(method: string, path: string, body?: unknown) =>
      JSON.parse((await asked(method, path, body)).toString()) as T,
    {
      text: async (path: string) => (await asked('GET', path)).toString(),
      bytes: (path: string) => asked('GET', path),
    },
  );
}

/** The stream of an act, whole; what it asks is answered with yes. */
export async function ended(visitor: Visit, { id }: TaskView): Promise<string> {
  for (;;) {
    const { state, pending } = await visitor<TaskView>('GET', `/task/${id}`);
    if (state === 'ended') return visitor.text(`/task/${id}/events`);
    if (pending !== null) await visitor('POST', `/task/${id}/answer`, { id: pending.id, said: true });
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
