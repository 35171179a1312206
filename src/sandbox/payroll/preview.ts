import { declined, type Handler, ok } from '../answer.js';
import { onePagePdf } from '../pdf.js';
import { admit } from './admission.js';
import type { PayrollContext } from './context.js';
import type { PayrollDocument } from './document.js';
import { documentTopic } from './topics.js';

const pesos = (amount: string): string => `$ ${amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',')}`;

const sheet = (company: string, document: PayrollDocument): Buffer =>
  onePagePdf([
    { text: 'Vista previa: nómina electrónica', size: 16 },
    { text: `${company} · ${document.number} · ${document.issueDate}` },
    { text: '' },
    { text: `Trabajador: ${document.employee}` },
    { text: `Documento: ${document.worker}` },
    { text: `Periodo: ${document.month}` },
    { text: '' },
    { text: `Total devengado: ${pesos(document.accrued)}` },
    { text: `Total deducciones: ${pesos(document.deductions)}` },
    { text: `Neto a pagar: ${pesos(document.net)}`, size: 13 },
    { text: '' },
    { text: 'Documento del emulador, sin validez.' },
  ]);

/** P7: the whole validation of a send, its number included; nothing goes to DIAN, nothing is written. */
export const preview = ({ refusals }: PayrollContext): Handler => ({
  about: documentTopic,
  answer: (call) => {
    const admission = admit(call);
    if (admission.is === 'invalid') return refusals.invalid(admission.faults);
    if (admission.is === 'crashed') return declined(admission.crash.reason);
    const { document, range } = admission;
    return ok(
      {
        success: true,
        message: 'Vista previa generada con éxito',
        urlpayrollpdf: `${document.number}.pdf`,
        base64payrollpdf: sheet(call.company.name, document).toString('base64'),
        resolution_number: range.resolution ?? '',
      },
      'answered',
    );
  },
});
