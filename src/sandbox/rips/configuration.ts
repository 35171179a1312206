import { type Handler, ok } from '../answer.js';
import { shapeFaults } from '../shape-faults.js';
import { unknownIds } from './checks.js';
import { type Columns, givenColumns } from './columns.js';
import type { RipsContext } from './context.js';
import type { Configuration } from './records.js';
import { invalid } from './replies.js';

const COLUMNS: Columns = {
  ids: ['type_document_identification_id'],
  texts: ['number_identification', 'password', 'url'],
};

/** R1: one for each company. The answer shows the password, as the service's does. */
export const configurationSetup = ({ records }: RipsContext): Handler => ({
  about: () => ({}),
  answer: (call) => {
    const { body, company } = call;
    const faults = [
      ...shapeFaults(call),
      ...unknownIds(body, { type_document_identification_id: 'type_document_identifications' }),
    ];
    if (faults.length > 0) return invalid(faults);
    const { configurations } = records;
    const columns = givenColumns(body, COLUMNS) as unknown as Configuration;
    const before = configurations.holder('company', company.nit);
    const row =
      before === undefined
        ? configurations.add({ ...columns, company: company.nit })
        : { ...before, ...columns };
    configurations.put(row);
    const { company: _company, ...configuration } = row;
    return ok({ success: true, message: 'Configuración guardada', configuration }, 'configured');
  },
});
