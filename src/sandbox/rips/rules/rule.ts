import type { RipsGroup } from '../../../rips/groups.js';
import type { JsonObject, JsonValue } from '../../../values/json.js';

/** A row of a service group. */
export interface Item {
  readonly group: RipsGroup;
  /** Position in its group, from 0. */
  readonly index: number;
  readonly values: JsonObject;
}

/** A package as it lies before the health system: one user and the services of one appointment. */
export interface Submission {
  readonly user: JsonObject;
  readonly items: readonly Item[];
  /** The wall clock in Colombia: `YYYY-MM-DD HH:MM`. */
  readonly now: string;
}

/** A national rule that is broken, and where. */
export interface Breach {
  /** `RVC061` */
  readonly rule: string;
  /** `usuarios[0].servicios.consultas[0].valorPagoModerador` */
  readonly path: string;
  readonly value: JsonValue | undefined;
}

/** A rule over each row of some groups. */
export interface ItemRule {
  readonly of: readonly RipsGroup[];
  /** The field that breaks the rule, if one does. */
  readonly blames: (values: JsonObject, submission: Submission, item: Item) => string | undefined;
}

/** A rule over the whole package. */
export type PackageRule = (submission: Submission) => readonly Omit<Breach, 'rule'>[];

export const USER = 'usuarios[0]';

export const itemPath = ({ group, index }: Item, field: string): string =>
  `${USER}.servicios.${group}[${index}].${field}`;

export const blame = (item: Item, field: string): Omit<Breach, 'rule'> => ({
  path: itemPath(item, field),
  value: item.values[field],
});

export const blameUser = ({ user }: Submission, field: string): Omit<Breach, 'rule'> => ({
  path: `${USER}.${field}`,
  value: user[field],
});

export function brokenItemRules(
  rules: Readonly<Record<string, ItemRule>>,
  submission: Submission,
): readonly Breach[] {
  return Object.entries(rules).flatMap(([rule, { of, blames }]) =>
    submission.items
      .filter((item) => of.includes(item.group))
      .flatMap((item) => {
        const field = blames(item.values, submission, item);
        return field === undefined ? [] : [{ rule, ...blame(item, field) }];
      }),
  );
}

export const brokenPackageRules = (
  rules: Readonly<Record<string, PackageRule>>,
  submission: Submission,
): readonly Breach[] =>
  Object.entries(rules).flatMap(([rule, breaks]) =>
    breaks(submission).map((breach) => ({ rule, ...breach })),
  );
