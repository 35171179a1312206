import { declined, type Handler, ok } from '../answer.js';
import { shapeFaults } from '../shape-faults.js';
import type { PayrollContext } from './context.js';
import { numberOf } from './document.js';

/** P11: finds only documents that the service itself marked accepted (service.md 4.10). */
export const documentMail = ({ book, outbox, clock, refusals }: PayrollContext): Handler => ({
  about: ({ body }) => ({ number: numberOf(body) }),
  answer: (call) => {
    const faults = shapeFaults(call);
    if (faults.length > 0) return refusals.invalid(faults);
    const { body, company } = call;
    const row = book.acceptedNumber(company.nit, String(body['prefix']), Number(body['consecutive']));
    if (row === undefined) return declined('No se encontró el documento');
    outbox.put({
      company: company.nit,
      to: String(body['email']),
      number: row.number,
      documentCode: row.cune,
      at: clock.now().toISOString(),
    });
    return ok({ success: true, message: 'Correo enviado con éxito' }, 'mailed');
  },
});
