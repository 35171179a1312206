import { catalogue } from '../../catalogue/catalogue.js';
import type { JsonObject } from '../../values/json.js';

/** What the health system says of a broken rule. */
export interface Finding {
  /** `RVC061` */
  readonly rule: string;
  /** `usuarios[0].servicios.consultas[0].valorPagoModerador` */
  readonly path: string;
  /** What was found there. */
  readonly value: string | undefined;
  readonly rejects: boolean;
}

const nameOf = (rule: string): string | undefined =>
  catalogue('rips_validation_rules')?.rows.find(({ code }) => code === rule)?.['name'];

/** PascalCase in every answer; the path of a refusal starts one level higher (service.md 13.10). */
export const shownFinding = ({ rule, rejects, path, value }: Finding, refused: boolean): JsonObject => ({
  Clase: rejects ? 'RECHAZADO' : 'NOTIFICACION',
  Codigo: rule,
  Descripcion: nameOf(rule) ?? 'El documento no cumple la regla',
  Observaciones: value ?? '',
  PathFuente: refused ? `rips.${path}` : path,
  Fuente: 'Rips',
});
