import { catalogue } from '../../../catalogue/catalogue.js';
import { CURRENT_PROFILE, nationalSchema } from '../../../rips/fields.js';
import type { RipsGroup } from '../../../rips/groups.js';
import { resolveNode } from '../../../schema/registry.js';
import type { JsonObject } from '../../../values/json.js';
import { type Breach, blame, blameUser, type Submission } from './rule.js';

/** Every coded field has a code of its table, and one that applies to its group (rips.md 3, 4). */

/** Columns that say whether a code applies, by field and group. */
const APPLIES: Readonly<Record<string, Partial<Record<RipsGroup | 'usuario', string>>>> = {
  causaMotivoAtencion: {
    consultas: 'aplica_consultas',
    urgencias: 'aplica_urgencias',
    hospitalizacion: 'aplica_hospitalizacion',
  },
  finalidadTecnologiaSalud: { consultas: 'aplica_consultas', procedimientos: 'aplica_procedimientos' },
  viaIngresoServicioSalud: { hospitalizacion: 'aplica_hospitalizacion' },
  condicionDestinoUsuarioEgreso: { hospitalizacion: 'aplica_hospitalizacion' },
  tipoOS: { otrosServicios: 'habilitado' },
  tipoDocumentoIdentificacion: {
    usuario: 'usuario',
    recienNacidos: 'usuario',
    consultas: 'profesional',
    procedimientos: 'profesional',
    medicamentos: 'profesional',
    otrosServicios: 'profesional',
  },
};

/** The fields whose code is unknown or does not apply; `keys` lead to their schema. */
function wrongCodes(
  values: JsonObject,
  part: 'servicios' | 'usuario',
  keys: readonly string[],
  group: RipsGroup | 'usuario',
): readonly string[] {
  return Object.keys(values).filter((field) => {
    const node = resolveNode(nationalSchema(CURRENT_PROFILE, part), [...keys, field]);
    const list = node?.['x-catalogue'];
    if (list === undefined || values[field] === null) return false;
    const column = node?.['x-catalogue-column'] ?? 'id';
    const row = catalogue(list)?.rows.find((entry) => entry[column] === String(values[field]));
    const flag = APPLIES[field]?.[group];
    return row === undefined || (flag !== undefined && row[flag] !== 'SI');
  });
}

export const brokenCodes = (submission: Submission): readonly Breach[] => [
  ...wrongCodes(submission.user, 'usuario', [], 'usuario').map((field) => ({
    rule: 'RVG01',
    ...blameUser(submission, field),
  })),
  ...submission.items.flatMap((item) =>
    wrongCodes(item.values, 'servicios', [item.group, '*'], item.group).map((field) => ({
      rule: 'RVG01',
      ...blame(item, field),
    })),
  ),
];
