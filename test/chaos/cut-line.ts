import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut, and stays so for as long as one likes. */
export interface CutLine {
  readonly port: number;
  /** Every connection breaks, and none is made for so many milliseconds. */
  cut(ms: number): void;
  /** Nothing comes through any more, and nobody is told. */
  hush(ms: number): void;
  close(): Promise<void>;
}

export async function openLine(host: string, port: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let closedUntil = 0;
  let quietUntil = 0;
  const server = createServer((near) => {
    if (Date.now() < closedUntil) return void near.destroy();
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (Date.now() >= quietUntil) to.write(data);
        else from.pause();
      });
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => {});
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut(ms) {
      closedUntil = Date.now() + ms;
      for (const socket of sockets) socket.destroy();
    },
    hush(ms) {
      quietUntil = Date.now() + ms;
      const quiet = [...sockets];
      // What was lost on the way makes the rest worthless.
      setTimeout(() => quiet.forEach((socket) => void socket.destroy()), ms);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
