import type { Issue, Place } from '../../toolkit/core/issue.js';
import type { JsonObject, Pointer } from '../../toolkit/core/json.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import type { Derivation } from '../../toolkit/documents/phases.js';
import type { ResolvedParams } from '../../toolkit/mapping/params.js';
import { type BatchKey, batchRules, NO_KEYS } from '../../toolkit/schema/batch-rules.js';
import { checkRules } from '../../toolkit/schema/rules.js';
import {
  completeAttention,
  INCAPACITY,
  type KnownUser,
  nationalSources,
  transactionOf,
} from './attention.js';
import { nationalSchema, profileOn, type RipsProfile } from './national.js';
import { fromNational, nationalTrace } from './national-file.js';

const PART = '/national/';

/** `/usuarios`, of which there are services, and `/usuarios/0/servicios/x` of a transaction: the latter is `/national/servicios/x` of an attention; another field of the user lies in `usuario`. */
const pointerIn = (pointer: Pointer): Pointer =>
  pointer
    .replace(/^\/usuarios$/, '/document/services')
    .replace(/^\/usuarios\/0\/servicios(?=\/|$)/, '/national/servicios')
    .replace(/^\/usuarios\/0\//, '/national/usuario/')
    .replace(/^\/tipoNota$/, '/document/note_type')
    .replace(/^\/numNota$/, '/document/note_number');

const placeIn = ({ pointer, ...place }: Place): Place =>
  pointer === undefined ? place : { ...place, pointer: pointerIn(pointer) };

const inAttention = (issue: Issue): Issue => ({
  ...issue,
  place: placeIn(issue.place),
  ...(issue.related && { related: issue.related.map(placeIn) }),
});

class KeyInAttention implements BatchKey {
  constructor(private readonly found: BatchKey) {}

  get key(): string {
    return this.found.key;
  }

  get pointer(): Pointer {
    return pointerIn(this.found.pointer);
  }
}

/** A number as the series will give it: how long they are is known, if not which. */
function sampleNumber({ values }: ResolvedParams): string {
  const {
    note_number_prefix: prefix = '',
    note_number_width: width,
    first_note_number: first = '1',
  } = values;
  return `${String(prefix)}${String(first).padStart(Number(width ?? 1), '0')}`;
}

/** The national part of an attention, in the profile of the run or else of the day of sending. */
export function attentionDerivation(params: ResolvedParams, today?: PlainDate): Derivation {
  const users = (params.tables['users'] ?? []) as unknown as readonly KnownUser[];
  const profile = (params.values['profile'] ?? profileOn(today)) as RipsProfile;
  const schema = nationalSchema(profile, 'transaccion');
  const numDocumentoIdObligado = (params.values['numDocumentoIdObligado'] ?? null) as string | null;
  const numNota = sampleNumber(params);
  let last: { readonly document: JsonObject; readonly transaction: JsonObject } | undefined;
  /** Asked by every rule over the file, of one document after the other. */
  const transactionIn = (document: JsonObject): JsonObject => {
    if (last?.document !== document)
      last = { document, transaction: transactionOf(document, numDocumentoIdObligado, numNota) };
    return last.transaction;
  };
  /** The issues without those of derived leaves of which something was said at their source. */
  const withoutSaid = (
    document: JsonObject,
    said: readonly Issue[],
    issues: readonly Issue[],
  ): readonly Issue[] => {
    if (said.length === 0) return issues;
    const pointers = new Set(said.map(({ place }) => place.pointer));
    if (!issues.some(({ place }) => place.pointer?.startsWith(PART))) return issues;
    const sources = nationalSources(document, profile);
    return issues.filter(
      ({ place }) => !(sources.get(place.pointer ?? '') ?? []).some((source) => pointers.has(source)),
    );
  };
  return {
    complete(document, from) {
      last = undefined;
      const read = from === undefined ? [] : fromNational(document, from, { users, profile });
      return [...read, ...completeAttention(document, { users, profile })];
    },
    shape: (document, faults) => withoutSaid(document, faults, faults),
    rules(document, shape, options) {
      const issues = checkRules(schema, transactionIn(document), options);
      return issues.length === 0 ? issues : withoutSaid(document, shape, issues.map(inAttention));
    },
    batch: batchRules(schema).map((rule) => ({
      ...rule,
      keysOf(document) {
        const found = rule.keysOf(transactionIn(document));
        return found.length === 0 ? NO_KEYS : found.map((one) => new KeyInAttention(one));
      },
    })),
    origins(document, origins, from) {
      const trace = from === undefined ? origins.trace : nationalTrace(origins.trace, from, users);
      const places = new Map(trace);
      for (const [leaf, sources] of nationalSources(document, profile)) {
        if ((places.get(leaf) ?? []).length > 0) continue;
        const source = sources.find((one) => (trace.get(one) ?? []).length > 0);
        if (source === undefined) continue;
        places.set(leaf, trace.get(source)!);
        // Of JSON the journal keeps where each leaf stands, and what it is part of.
        if (from === undefined) continue;
        places.set(source, trace.get(source)!);
        const item = source.slice(0, source.lastIndexOf('/'));
        if (!places.has(item) && trace.get(item) !== undefined) places.set(item, trace.get(item)!);
      }
      const said = trace.get(INCAPACITY.national) ?? [];
      if (said.length > 0 && !places.has(INCAPACITY.patient)) places.set(INCAPACITY.patient, said);
      return { trace: from === undefined ? places : nationalTrace(places, from, users) };
    },
  };
}
