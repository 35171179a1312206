import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service of coupons: each number once, for ever. */
export async function couponService({ answerAfter = 0 } = {}) {
  const issued = new Map<string, string>();
  const posts: string[] = [];
  const service = { issued, posts, answerAfter, url: '', close: async (): Promise<void> => undefined };
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        const number = request.url!.split('/').at(-1)!;
        const code = issued.get(number);
        return code === undefined ? answer(404, {}) : answer(200, { number, code });
      }
      if (request.url === '/drawings')
        return answer(200, { drawing: Buffer.from('%PDF-1.4 coupon').toString('base64') });
      const { prefix, consecutive, holder, seal } = JSON.parse(Buffer.concat(chunks).toString());
      const number = `${prefix}${consecutive}`;
      posts.push(number);
      if (issued.has(number)) return answer(422, { reason: `${number} was issued` });
      if (holder === 'Nadie') return answer(422, { reason: 'nobody' });
      issued.set(number, `code-${number}-${seal}`);
      setTimeout(() => answer(200, { number, code: issued.get(number) }), service.answerAfter);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.close = () =>
    new Promise((closed) => {
      server.closeAllConnections();
      server.close(() => closed());
    });
  return service;
}
