import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './fault-kinds.js';
import type { Passing } from './fault-proxy.js';

/** What a service says that repeats everything it was told: header, token and body. */
export type Echo = (text: string) => Reply;

const json =
  (status: number, body: (text: string) => unknown): Echo =>
  (text) => ({ status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body(text)) });
const page =
  (status: number, body: (text: string) => string): Echo =>
  (text) => ({ status, headers: { 'content-type': 'text/html' }, text: body(text) });

const result = (text: string) => ({
  IsValid: 'false',
  StatusCode: '99',
  StatusDescription: text,
  ErrorMessage: { string: `Regla: NIE024, Rechazo: ${text}` },
});

/** PHP writes a slash as `\/`, and may write anything else as `\u00xx`. */
const likePhp =
  (echo: Echo): Echo =>
  (text) => {
    const reply = echo(text);
    return { ...reply, text: reply.text.replaceAll('/', '\\/').replaceAll('+', '\\u002b') };
  };

const crash = json(500, (text) => ({ success: false, message: text, error: text }));

/** The forms in which the service is known to answer (service.md 5 and 8). */
export const ECHOES: Readonly<Record<string, Echo>> = {
  validation: json(422, (text) => ({ message: text, errors: { 'worker.address': [text] } })),
  'validation in a 500': json(500, (text) => ({ error: `The ${text} field is required.` })),
  crash,
  'crash as PHP writes it': likePhp(crash),
  'its own catch': json(500, (text) => ({ message: text, payload: text })),
  'bare string': page(200, (text) => `Undefined index: ${text}`),
  'a page': page(502, (text) => `<html><body><pre>${text}</pre></body></html>`),
  'a no of its own': json(200, (text) => ({ success: false, message: text, employee: text, cune: text })),
  'a rejection': json(200, (text) => ({
    ResponseDian: {
      Envelope: { Body: { SendTestSetAsyncResponse: { SendTestSetAsyncResult: result(text) } } },
    },
  })),
  'a rejection as PHP writes it': likePhp(
    json(200, (text) => ({
      ResponseDian: {
        Envelope: { Body: { SendTestSetAsyncResponse: { SendTestSetAsyncResult: result(text) } } },
      },
    })),
  ),
};

export const UNAUTHENTICATED: Echo = json(401, (text) => ({ message: text }));

/** The request as text, in every form that it has on its way. */
export const echoOf = ({ body }: Pick<Passing, 'body'>, headers: IncomingHttpHeaders): string =>
  `${headers.authorization} ${JSON.stringify(headers)} ${body}`;
