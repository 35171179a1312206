import type { JsonValue } from '../values/json.js';
import type { TableFit } from './assign.js';
import type { Choice } from './choice.js';
import type { Fit } from './fit.js';
import { meantIn } from './label-choices.js';
import { IGNORE, isRepeated, type LabelFit } from './labels.js';

type Tree = { [key: string]: JsonValue };

/** What is settled beside labels. */
export interface Settled {
  /** Table → sheets to read. */
  readonly sheets: ReadonlyMap<string, readonly string[]>;
  /** Further settings by their place in the mapping. */
  readonly values: readonly (readonly [path: readonly string[], value: JsonValue])[];
}

/** What locating the tables needs to be told, because it would not find them as shown. */
export interface Pins {
  readonly rows: ReadonlySet<string>;
  readonly sheets: ReadonlySet<string>;
}

export const NO_PINS: Pins = { rows: new Set(), sheets: new Set() };

export interface ProposalSource {
  readonly name: string;
  readonly fit: Fit;
  readonly labels: readonly LabelFit[];
  readonly settled: Settled;
  readonly open: readonly Choice[];
  readonly pins: Pins;
}

function put(tree: Tree, path: readonly (string | number)[], value: JsonValue): void {
  let at = tree;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    const inner: Tree =
      typeof next === 'object' && next !== null && !Array.isArray(next) ? (next as Tree) : {};
    at[key] = inner;
    at = inner;
  }
  at[String(path.at(-1))] = value;
}

/** An open choice as the mapping language writes it. */
export const undecidedNode = ({ id, question, candidates }: Choice): JsonValue => ({
  undecided: {
    id,
    question,
    candidates: candidates.map(({ value, score, about }) => ({
      value,
      ...(score !== undefined && { score }),
      about,
    })),
  },
});

/** Of several sheets that are one table each label is named once; what is no amount is named by the first of them. */
function labelsOf(fits: readonly TableFit[], labels: readonly LabelFit[]): readonly LabelFit[] {
  const keys = new Set<string>();
  const texts = new Map<string, LabelFit['sheet']>();
  return fits.flatMap(({ sheet, table }) =>
    labels.filter((fit) => {
      const { means } = fit;
      if (fit.sheet !== sheet || fit.table !== table || isRepeated(fit) || keys.has(fit.key)) return false;
      if (means !== undefined && table.columns.get(means)?.type !== 'decimal') {
        if ((texts.get(means) ?? sheet) !== sheet) return false;
        texts.set(means, sheet);
      }
      keys.add(fit.key);
      return true;
    }),
  );
}

function tableTree(id: string, fits: readonly TableFit[], source: ProposalSource): Tree {
  const { labels, fit, settled, pins } = source;
  const own = labelsOf(fits, labels);
  const [first] = fits;
  const { table, header, sheet, named } = first!;
  const tree: Tree = {};
  const sheets = settled.sheets.get(id);
  const fitting = table.spec.sheet !== undefined && named < 1;
  if (sheets !== undefined) {
    put(tree, ['sheet'], sheets.length === 1 ? sheets[0]! : [...sheets]);
    if (sheets.length > 1 && !table.spec.every) put(tree, ['every'], true);
  } else if ((fitting || pins.sheets.has(id)) && sheet.source.sheet !== undefined)
    put(tree, ['sheet'], sheet.source.sheet);
  const must = mustHave(first!, own, fit);
  if (must !== undefined) put(tree, ['header', 'must_have'], must);
  if (header.groupRow !== undefined) put(tree, ['header', 'groups'], 'above');
  if (pins.rows.has(id)) put(tree, ['header', 'row'], header.row.number);
  put(tree, ['labels'], Object.fromEntries(own.map((one) => [one.key, one.means ?? IGNORE])));
  return tree;
}

/** What makes a row the header, where the file lacks some of what the ready-made mapping asks for. */
function mustHave({ table }: TableFit, labels: readonly LabelFit[], { mapping }: Fit): string[] | undefined {
  const asked = table.spec.header?.must_have;
  if (asked === undefined) return undefined;
  const meant = meantIn(table, labels);
  if (asked.every((id) => meant.has(id))) return undefined;
  const key = mapping.mains.includes(table) ? mapping.key : (table.join?.own.map(({ id }) => id) ?? []);
  return [...new Set([...key, ...asked.filter((id) => meant.has(id))])];
}

/** The mapping that inspect proposes, as a tree: what the file adds to the ready-made one, and what is still to be decided. */
export function proposalTree(source: ProposalSource): Tree {
  const { fit, name, open, settled } = source;
  const tree: Tree = { extends: fit.name, cargue: 1, name };
  const ids = [...new Set(fit.tables.map(({ table }) => table.id))];
  for (const id of ids)
    put(
      tree,
      ['tables', id],
      tableTree(
        id,
        fit.tables.filter(({ table }) => table.id === id),
        source,
      ),
    );
  for (const [path, value] of settled.values) put(tree, path, value);
  for (const choice of open) put(tree, choice.path, undecidedNode(choice));
  return tree;
}

/** The same with open labels left aside and other open choices as the ready-made mapping has them: it can be tried out. */
export const trialTree = (source: ProposalSource): Tree => proposalTree({ ...source, open: [] });
