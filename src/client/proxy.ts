import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { buildConnector } from 'undici';

/** Error code of a tunnel that was not opened: no byte of the request has left. */
export const NO_TUNNEL = 'CARGUE_NO_TUNNEL';

const credentials = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
};

/** Connects through a tunnel (CONNECT): the proxy sees the host and ciphertext, the certificate checked is the service's own. */
export function throughProxy(
  proxy: URL,
  timeout: number,
  connect: buildConnector.connector,
): buildConnector.connector {
  return (options, done) => {
    const target = `${options.hostname}:${options.port || 443}`;
    const begin = proxy.protocol === 'https:' ? tlsRequest : plainRequest;
    const tunnel = begin({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...credentials(proxy) },
      agent: false,
      timeout,
    });
    const fail = (): void => {
      tunnel.removeAllListeners().on('error', () => undefined);
      tunnel.destroy();
      done(Object.assign(new Error('The proxy opened no tunnel'), { code: NO_TUNNEL }), null);
    };
    tunnel.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return fail();
      }
      tunnel.removeAllListeners();
      connect({ ...options, httpSocket: socket }, (...result) => {
        const [error] = result as [{ code?: string } | null, unknown];
        // The proxy hung up before the handshake was over.
        if (error?.code === 'ECONNRESET') error.code = NO_TUNNEL;
        done(...result);
      });
    });
    tunnel.once('response', fail);
    tunnel.once('timeout', fail);
    tunnel.once('error', fail);
    tunnel.end();
  };
}
