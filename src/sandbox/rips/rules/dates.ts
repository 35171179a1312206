import { STARTS } from '../../../rips/groups.js';
import { text } from '../../members.js';
import { blame, blameUser, type ItemRule, type PackageRule } from './rule.js';

/** Dates in the order of life: birth, entry, service, discharge, and nothing in the future (rips.md 4). */

const STAYS = ['urgencias', 'hospitalizacion'] as const;
const SERVICES = ['consultas', 'procedimientos', 'medicamentos', 'otrosServicios'] as const;
const DEAD = '02';

/** From one national date and time to another; national times have no zone. */
export const hoursBetween = (from: string, to: string): number => (instant(to) - instant(from)) / 3_600_000;
const instant = (dateTime: string): number => Date.parse(`${dateTime.replace(' ', 'T')}:00Z`);

const stayLasts = (values: Parameters<ItemRule['blames']>[0]): number =>
  hoursBetween(text(values, 'fechaInicioAtencion'), text(values, 'fechaEgreso'));

export const DATE_RULES: Readonly<Record<string, ItemRule>> = {
  RVC013: {
    of: SERVICES,
    blames: (values, { now }, { group }) => (text(values, STARTS[group]) > now ? STARTS[group] : undefined),
  },
  RVC038: {
    of: STAYS,
    blames: (values, { now }) =>
      text(values, 'fechaInicioAtencion') > now ? 'fechaInicioAtencion' : undefined,
  },
  RVC043: {
    of: [...STAYS, 'recienNacidos'],
    blames: (values, { now }) => (text(values, 'fechaEgreso') > now ? 'fechaEgreso' : undefined),
  },
  RVC045: {
    of: ['recienNacidos'],
    blames: (values, { now }) => (text(values, 'fechaNacimiento') > now ? 'fechaNacimiento' : undefined),
  },
  RVC039: {
    of: STAYS,
    blames: (values) =>
      text(values, 'fechaInicioAtencion') > text(values, 'fechaEgreso') ? 'fechaInicioAtencion' : undefined,
  },
  RVC046: {
    of: ['recienNacidos'],
    blames: (values) =>
      text(values, 'fechaEgreso') < text(values, 'fechaNacimiento') ? 'fechaEgreso' : undefined,
  },
  RVC079: {
    of: SERVICES,
    blames: (values, { user }, { group }) =>
      text(values, STARTS[group]) < text(user, 'fechaNacimiento') ? STARTS[group] : undefined,
  },
  RVC080: {
    of: STAYS,
    blames: (values, { user }) =>
      text(values, 'fechaEgreso') < text(user, 'fechaNacimiento') ? 'fechaEgreso' : undefined,
  },
  RVC081: {
    of: STAYS,
    blames: (values, { user }) =>
      text(values, 'fechaInicioAtencion') < text(user, 'fechaNacimiento') ? 'fechaInicioAtencion' : undefined,
  },
  RVC040: { of: ['urgencias'], blames: (values) => (stayLasts(values) > 48 ? 'fechaEgreso' : undefined) },
  RVC041: {
    of: ['hospitalizacion'],
    blames: (values) => (stayLasts(values) < 6 ? 'fechaEgreso' : undefined),
  },
};

export const DATE_PACKAGE_RULES: Readonly<Record<string, PackageRule>> = {
  RVC006: (submission) =>
    text(submission.user, 'fechaNacimiento') > submission.now
      ? [blameUser(submission, 'fechaNacimiento')]
      : [],

  RVC053: ({ items }) => {
    const died = items
      .filter(
        ({ group, values }) =>
          group !== 'recienNacidos' && text(values, 'condicionDestinoUsuarioEgreso') === DEAD,
      )
      .map(({ values }) => text(values, 'fechaEgreso'))
      .sort()[0];
    if (died === undefined) return [];
    return items
      .filter(
        ({ group, values }) =>
          group !== 'recienNacidos' && hoursBetween(died, text(values, STARTS[group])) > 24,
      )
      .map((item) => blame(item, STARTS[item.group]));
  },
};
