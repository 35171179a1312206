import { groupOf } from '../../rips/groups.js';
import { USER_SOURCES } from '../../rips/national-user.js';
import type { JsonObject } from '../../values/json.js';
import { formatPointer, type Pointer } from '../../values/pointer.js';

/** Members of the transaction → leaves of the attention. */
export const TRANSACTION: Readonly<Record<string, Pointer>> = {
  numnota: '/document/note_number',
  tiponota: '/document/note_type',
};
const USER: Pointer = '/appointment/user_id';
/** What the user of the appointment supplies where the service says nothing (rips.md 2.10). */
const OF_THE_USER: readonly string[] = [
  'codPrestador',
  'tipoDocumentoIdentificacion',
  'numDocumentoIdentificacion',
];

/** `rips.usuarios[0].servicios.consultas[1].vrServicio`: names and positions, whatever stands before `usuarios`. */
const STEPS = /[^.[\]]+/g;

/**
 * The leaf of the attention behind a path of the ministry (`PathFuente`), with or without `rips.` before it; undefined
 * where the path is empty or leads elsewhere.
 */
export function sourcePointer(path: string, services: readonly JsonObject[]): Pointer | undefined {
  const steps = path.match(STEPS) ?? [];
  const at = steps.findIndex((step) => step.toLowerCase() === 'usuarios');
  if (at < 0) return TRANSACTION[(steps.at(-1) ?? '').toLowerCase()];
  const [field, group, position, member] = steps.slice(at + 2);
  if (field === undefined) return '/patient';
  if (field.toLowerCase() !== 'servicios') {
    const source = USER_SOURCES[field];
    return source === undefined ? '/patient' : `/patient/${source}`;
  }
  const index = serviceAt(services, group, Number(position ?? 0));
  if (index === undefined) return '/document/services';
  if (member === undefined) return formatPointer(['document', 'services', index]);
  const value = services[index]?.[member];
  if (OF_THE_USER.includes(member) && (value === undefined || value === null)) return USER;
  return formatPointer(['document', 'services', index, member]);
}

/** Place of the nth service of a group among all services: groups count by themselves in the national form. */
function serviceAt(
  services: readonly JsonObject[],
  group: string | undefined,
  position: number,
): number | undefined {
  let seen = 0;
  for (const [index, service] of services.entries()) {
    if (groupOf(service['service_type_id'])?.toLowerCase() !== group?.toLowerCase()) continue;
    if (seen === position) return index;
    seen += 1;
  }
  return undefined;
}
