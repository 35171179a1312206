import { DIAN_ADDRESS } from '../../payroll/dian-address.js';
import type { JsonObject } from '../../values/json.js';
import { type Handler, ok } from '../answer.js';
import type { Software } from '../companies.js';
import { shapeFaults } from '../shape-faults.js';
import type { PayrollContext } from './context.js';

const text = (body: JsonObject, name: string): string | undefined =>
  body[name] === undefined || body[name] === null ? undefined : String(body[name]);

/** What a call leaves behind: addresses that it does not name fall back to the test ones (service.md 12, trap 12). */
function configured(body: JsonObject, before: Software): Software {
  const id = text(body, 'id') ?? before.id;
  const pin = text(body, 'pin') ?? before.pin;
  return {
    ...(id !== undefined && { id }),
    ...(pin !== undefined && { pin }),
    idpayroll: text(body, 'idpayroll') ?? before.idpayroll,
    pinpayroll: text(body, 'pinpayroll') ?? before.pinpayroll,
    url: text(body, 'url') ?? DIAN_ADDRESS.test,
    urlpayroll: text(body, 'urlpayroll') ?? DIAN_ADDRESS.test,
  };
}

/** P1. The answer shows ids and PINs, as the service's does. */
export const softwareSetup = ({ companies, refusals }: PayrollContext): Handler => ({
  about: () => ({}),
  answer: (call) => {
    const faults = shapeFaults(call);
    if (faults.length > 0) return refusals.invalid(faults);
    const software = configured(call.body, call.company.software);
    companies.save({ ...call.company, software });
    return ok(
      { success: true, message: 'Software creado/actualizado con éxito', software: { ...software } },
      'configured',
    );
  },
});
