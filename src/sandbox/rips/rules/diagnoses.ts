import type { JsonObject } from '../../../values/json.js';
import { text } from '../../members.js';
import type { ItemRule } from './rule.js';

/** Diagnoses against each other and against the outcome (rips.md 4). */

const DEAD = '02';
const CHECK_UP = '11';

const RELATED: Readonly<Record<string, readonly string[]>> = {
  consultas: ['codDiagnosticoRelacionado1', 'codDiagnosticoRelacionado2', 'codDiagnosticoRelacionado3'],
  procedimientos: ['codDiagnosticoRelacionado'],
  medicamentos: ['codDiagnosticoRelacionado'],
};
const ON_DISCHARGE = [
  'codDiagnosticoRelacionadoE1',
  'codDiagnosticoRelacionadoE2',
  'codDiagnosticoRelacionadoE3',
];

/** The first of the fields whose code stands in `other` too. */
const equalTo = (values: JsonObject, fields: readonly string[], other: string): string | undefined =>
  fields.find((field) => text(values, field) !== '' && text(values, field) === text(values, other));

/** The first of the fields that repeats the code of an earlier one. */
const repeated = (values: JsonObject, fields: readonly string[]): string | undefined =>
  fields.find((field, at) => fields.slice(0, at).some((earlier) => equalTo(values, [field], earlier)));

/** The field, when its code is of a chapter that it should not be of, or is not of the one that it should be. */
const ofChapter = (values: JsonObject, field: string, chapter: RegExp): string | undefined =>
  chapter.test(text(values, field)) ? field : undefined;

export const DIAGNOSIS_RULES: Readonly<Record<string, ItemRule>> = {
  RVC031: {
    of: ['consultas', 'procedimientos', 'urgencias', 'hospitalizacion', 'medicamentos'],
    blames: (values) => ofChapter(values, 'codDiagnosticoPrincipal', /^[V-Y]/),
  },
  RVC032: {
    of: ['urgencias', 'hospitalizacion'],
    blames: (values) => ofChapter(values, 'codDiagnosticoPrincipalE', /^R/),
  },
  RVC033: {
    of: ['urgencias', 'hospitalizacion'],
    blames: (values) => ofChapter(values, 'codDiagnosticoPrincipal', /^Z/),
  },
  RVC042: {
    of: ['urgencias', 'hospitalizacion', 'recienNacidos'],
    blames: (values) =>
      text(values, 'condicionDestinoUsuarioEgreso') === DEAD &&
      text(values, 'codDiagnosticoCausaMuerte') === ''
        ? 'codDiagnosticoCausaMuerte'
        : undefined,
  },
  RVC085: {
    of: ['consultas', 'procedimientos'],
    blames: (values) =>
      text(values, 'finalidadTecnologiaSalud') === CHECK_UP
        ? ofChapter(values, 'codDiagnosticoPrincipal', /^[^Z]/)
        : undefined,
  },
  RVC086: {
    of: ['consultas', 'procedimientos', 'medicamentos'],
    blames: (values, _submission, { group }) =>
      equalTo(values, RELATED[group] ?? [], 'codDiagnosticoPrincipal'),
  },
  RVC087: { of: ['consultas'], blames: (values) => repeated(values, RELATED['consultas'] ?? []) },
  RVC088: {
    of: ['urgencias', 'hospitalizacion'],
    blames: (values) => equalTo(values, ON_DISCHARGE, 'codDiagnosticoPrincipalE'),
  },
  RVC089: { of: ['urgencias', 'hospitalizacion'], blames: (values) => repeated(values, ON_DISCHARGE) },
};
