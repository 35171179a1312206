import { FLAGGED_NUMBER_PATH } from '../../payroll/current-number.js';
import type { JsonObject } from '../../values/json.js';
import { type Handler, ok } from '../answer.js';
import type { Resolution } from '../companies.js';
import { isTrue } from '../members.js';
import type { FieldFault } from '../refusals.js';
import { shapeFaults } from '../shape-faults.js';
import type { PayrollContext } from './context.js';
import { NO_RESOLUTION } from './crashes.js';
import { rangeFor, withRange } from './ranges.js';

/** P2: registers a range; upsert by type, resolution and prefix (service.md 4.9). */
export function resolutionSetup({ companies, refusals }: PayrollContext): Handler {
  return {
    about: () => ({}),
    answer: (call) => {
      const faults = [...shapeFaults(call), ...rangeFaults(call.body)];
      if (faults.length > 0) return refusals.invalid(faults);
      const range = rangeOf(call.body);
      companies.save(withRange(call.company, range, isTrue(call.body['delete_all_type_resolutions'])));
      return ok(
        {
          success: true,
          message: 'Resolución creada/actualizada con éxito',
          resolution: {
            type_document_id: range.typeDocumentId,
            prefix: range.prefix,
            resolution: range.resolution ?? null,
            from: range.from,
            to: range.to,
          },
        },
        'configured',
      );
    },
  };
}

const rangeOf = (body: JsonObject): Resolution => ({
  typeDocumentId: Number(body['type_document_id']),
  prefix: String(body['prefix'] ?? ''),
  from: Number(body['from']),
  to: Number(body['to']),
  ...(typeof body['resolution'] === 'string' && { resolution: body['resolution'] }),
});

function rangeFaults(body: JsonObject): FieldFault[] {
  const { prefix, from, to } = rangeOf(body);
  const faults: FieldFault[] = [];
  if (prefix.length > 4)
    faults.push({ field: 'prefix', text: 'The prefix may not be greater than 4 characters.' });
  if (to < from + 1) faults.push({ field: 'to', text: `The to must be at least ${from + 1}.` });
  return faults;
}

/** P8: highest accepted + 1; advice, not a reservation. */
export function currentNumber({ settings, book, refusals }: PayrollContext): Handler {
  const since2024 = settings.currentNumberPath === 'since2024';
  return {
    about: () => ({}),
    ...(since2024 && { alsoAt: [FLAGGED_NUMBER_PATH] }),
    answer: ({ company, path }) => {
      const flagged = path['flag'] !== undefined;
      const prefix = since2024 && !flagged ? '' : (path['prefix'] ?? '');
      const typeDocumentId = Number(path['type']);
      const range = rangeFor(company, typeDocumentId, prefix);
      if (range === undefined) return refusals.crash(NO_RESOLUTION.reason);
      const highest = book.highest(company.nit, typeDocumentId, range.prefix, path['flag'] === '1');
      return ok(
        { number: Math.max(range.from, highest + 1), success: true, prefix: range.prefix },
        'answered',
      );
    },
  };
}
