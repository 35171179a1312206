import type { JsonObject } from '../../values/json.js';
import type { Answer, Call, Handler, Topic } from '../answer.js';
import { text } from '../members.js';
import type { FieldFault } from '../refusals.js';
import { shapeFaults } from '../shape-faults.js';
import { mentions, takenValues, unknownIds } from './checks.js';
import { allColumns, type Columns, givenColumns } from './columns.js';
import type { RipsContext } from './context.js';
import type { Provider } from './records.js';
import { created, found, invalid, missing, page, updated } from './replies.js';

/** R2–R6. What they hold is not used when sending (service.md 6.2). */

const COLUMNS: Columns = { ids: ['document_type_id'], texts: ['document_number', 'name', 'email', 'code'] };
const UNIQUE = ['email', 'code', 'document_number'] as const;

const shown = ({ company: _company, ...provider }: Provider): JsonObject => provider;

const faultsOf = ({ records }: RipsContext, call: Call, self?: Provider): readonly FieldFault[] => [
  ...shapeFaults(call),
  ...unknownIds(call.body, { document_type_id: 'type_document_identifications' }),
  ...takenValues(records.providers, call.body, UNIQUE, self),
];

export const providerList = ({ records }: RipsContext): Handler => ({
  about: ({ query }) => ({ ...(query['search'] && { key: query['search'] }) }),
  answer: ({ company, query }) => {
    const rows = records.providers
      .ofCompany(company.nit)
      .filter(({ document_number, name, code, email }) =>
        mentions(query['search'] ?? '', document_number, name, code, email),
      );
    return found(page(rows.map(shown), query));
  },
});

export const providerCreation = (context: RipsContext): Handler => ({
  about: ({ body }) => ({ key: text(body, 'document_number') }),
  answer: (call) => {
    const faults = faultsOf(context, call);
    if (faults.length > 0) return invalid(faults);
    const columns = allColumns(call.body, COLUMNS) as unknown as Provider;
    const row = context.records.providers.add({ ...columns, company: call.company.nit });
    return created(shown(row), 'Prestador creado');
  },
});

/** An operation on one provider of the company; 404 for any other. */
const onProvider = (
  { records: { providers } }: RipsContext,
  answer: (provider: Provider, call: Call) => Answer,
): Handler => {
  const own = ({ company, path }: Call): Provider | undefined => providers.own(company.nit, path['id']);
  const about = (call: Call): Topic => ({ key: own(call)?.document_number ?? call.path['id'] ?? '' });
  return {
    about,
    answer: (call) => {
      const provider = own(call);
      return provider === undefined ? missing('Prestador no encontrado') : answer(provider, call);
    },
  };
};

export const providerReading = (context: RipsContext): Handler =>
  onProvider(context, (provider) => found(shown(provider)));

export const providerUpdate = (context: RipsContext): Handler =>
  onProvider(context, (provider, call) => {
    const faults = faultsOf(context, call, provider);
    if (faults.length > 0) return invalid(faults);
    const row = { ...provider, ...givenColumns(call.body, COLUMNS) };
    context.records.providers.put(row);
    return updated(shown(row), 'Prestador actualizado');
  });

export const providerDeletion = (context: RipsContext): Handler =>
  onProvider(context, (provider) => {
    context.records.providers.delete(provider);
    return updated(null, 'Prestador eliminado');
  });
