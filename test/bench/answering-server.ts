/** A service that does nothing: answers every request as an accepted payroll, after so many milliseconds. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delay = Number(process.argv[2]);
const CUNE =
  '334ca732c1a204af8676a272dcce9fabae2974c148070817849e094392c1bd79565603e1236edb27705492f4417627f8';
const ANSWER = JSON.stringify({
  message: 'Nómina generada',
  ResponseDian: {
    Envelope: {
      Body: {
        SendNominaSyncResponse: {
          SendNominaSyncResult: {
            ErrorMessage: { _attributes: { nil: 'true' } },
            IsValid: 'true',
            StatusCode: '00',
            StatusDescription: 'Procesado Correctamente.',
            XmlDocumentKey: CUNE,
          },
        },
      },
    },
  },
  payrollxml: 'PD94'.repeat(200),
  cune: CUNE,
  certificate_days_left: 210,
});

// Each document has a code of its own: two with one would both be in doubt.
const parts = ANSWER.split(CUNE);
let answered = 0;
const nextAnswer = (): string => {
  answered += 1;
  return parts.join(CUNE.slice(0, -12) + answered.toString(16).padStart(12, '0'));
};

const server = createServer((request, response) => {
  const answer = (): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(nextAnswer());
  };
  request.resume().on('end', () => (delay === 0 ? answer() : setTimeout(answer, delay)));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
