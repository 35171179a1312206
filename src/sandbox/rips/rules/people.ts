import { STARTS } from '../../../rips/groups.js';
import { text } from '../../members.js';
import { blame, blameUser, type ItemRule, type PackageRule, type Submission } from './rule.js';

/** Who may be what: document by age, mother, purpose by sex, who ordered (rips.md 4). */

/** Years of age that a type of document belongs to; foreign documents are not here, they have no limits. */
const AGES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  RC: [0, 6],
  CN: [0, 3],
  NV: [0, 3],
  MS: [0, 17],
  TI: [7, 17],
  CC: [18, Number.POSITIVE_INFINITY],
  AS: [18, Number.POSITIVE_INFINITY],
};
/** Years that the edges of an age may be off. */
const EDGE = 1;

const IVE = '24';
const IVE_CAUSES = ['34', '35', '36', '49'];
/** Supplies, complementary services and fees. */
const ORDERED = ['01', '04', '05'];

/** Completed years on the day of the first service. */
function age({ user, items }: Submission): number | undefined {
  const birth = text(user, 'fechaNacimiento');
  const first = items.map(({ group, values }) => text(values, STARTS[group])).sort()[0];
  if (first === undefined || birth === '') return undefined;
  const years = Number(first.slice(0, 4)) - Number(birth.slice(0, 4));
  return first.slice(5, 10) < birth.slice(5) ? years - 1 : years;
}

const isMother = ({ items }: Submission): boolean => items.some(({ group }) => group === 'recienNacidos');

export const PEOPLE_PACKAGE_RULES: Readonly<Record<string, PackageRule>> = {
  RVC007: (submission) => {
    const years = age(submission);
    const limits = AGES[text(submission.user, 'tipoDocumentoIdentificacion')];
    if (years === undefined || limits === undefined) return [];
    const [from, to] = limits;
    return years < from - EDGE || years > to + EDGE
      ? [blameUser(submission, 'tipoDocumentoIdentificacion')]
      : [];
  },

  RVC008: (submission) => {
    const years = age(submission);
    if (years === undefined || !isMother(submission)) return [];
    return years < 9 || years > 60 ? [blameUser(submission, 'fechaNacimiento')] : [];
  },

  RVC009: (submission) =>
    isMother(submission) && text(submission.user, 'codSexo') !== 'F'
      ? [blameUser(submission, 'codSexo')]
      : [],

  RVC062: ({ items }) =>
    items
      .filter(({ values }) => text(values, 'condicionDestinoUsuarioEgreso') === '03')
      .filter((item) => items.every(({ group }) => group === item.group))
      .map((item) => blame(item, 'condicionDestinoUsuarioEgreso')),
};

export const PEOPLE_RULES: Readonly<Record<string, ItemRule>> = {
  RVC010: {
    of: ['consultas', 'procedimientos'],
    blames: (values, { user }) =>
      text(values, 'finalidadTecnologiaSalud') === IVE && text(user, 'codSexo') !== 'F'
        ? 'finalidadTecnologiaSalud'
        : undefined,
  },
  RVC052: {
    of: ['consultas'],
    blames: (values) =>
      text(values, 'finalidadTecnologiaSalud') === IVE &&
      !IVE_CAUSES.includes(text(values, 'causaMotivoAtencion'))
        ? 'causaMotivoAtencion'
        : undefined,
  },
  RVC050: {
    of: ['otrosServicios'],
    blames: (values) =>
      ORDERED.includes(text(values, 'tipoOS')) && text(values, 'numDocumentoIdentificacion') === ''
        ? 'numDocumentoIdentificacion'
        : undefined,
  },
};
