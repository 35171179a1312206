import { catalogue } from '../../catalogue/catalogue.js';
import type { JsonObject } from '../../values/json.js';
import type { Breach } from './rules/rule.js';

/** What the health system says of a broken rule. */
export interface Finding extends Breach {
  readonly rejects: boolean;
}

const RULES = 'rips_validation_rules';
let classes: ReadonlyMap<string, { readonly rejects: boolean; readonly name: string }> | undefined;

/** Class and name of the national rules, as data: they change without a new norm (rips.md 2.11). */
const ruleData = (rule: string): { readonly rejects: boolean; readonly name: string } | undefined => {
  classes ??= new Map(
    catalogue(RULES)?.rows.map((row) => [
      row['code']!,
      { rejects: row['class'] === 'R', name: row['name']! },
    ]),
  );
  return classes.get(rule);
};

/** A rule that is in no table rejects. */
export const findingOf = (breach: Breach): Finding => ({
  ...breach,
  rejects: ruleData(breach.rule)?.rejects ?? true,
});

/** PascalCase in every answer; the path of a refusal starts one level higher (service.md 13.10). */
export const shownFinding = ({ rule, rejects, path, value }: Finding, refused: boolean): JsonObject => ({
  Clase: rejects ? 'RECHAZADO' : 'NOTIFICACION',
  Codigo: rule,
  Descripcion: ruleData(rule)?.name ?? 'El documento no cumple la regla',
  Observaciones: value === undefined || value === null ? '' : String(value),
  PathFuente: refused ? `rips.${path}` : path,
  Fuente: 'Rips',
});
