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

/**
 * Returns the field of an attention for one of a transaction: `/usuarios` holds services, `/usuarios/0/servicios/x`
 * is `/national/servicios/x`, other fields of the user are in `usuario`.
 */
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

/** Returns a number with the form and length of the series; the value is not known yet. */
function sampleNumber({ values }: ResolvedParams): string {
  const {
    note_number_prefix: prefix = '',
    note_number_width: width,
    first_note_number: first = '1',
  } = values;
  return `${String(prefix)}${String(first).padStart(Number(width ?? 1), '0')}`;
}

/** Creates the derivation of the national part, in the run's profile or else that of the day. */
export function attentionDerivation(params: ResolvedParams, today?: PlainDate): Derivation {
  const users = (params.tables['users'] ?? []) as unknown as readonly KnownUser[];
  const profile = (params.values['profile'] ?? profileOn(today)) as RipsProfile;
  const schema = nationalSchema(profile, 'transaccion');
  const numDocumentoIdObligado = (params.values['numDocumentoIdObligado'] ?? null) as string | null;
  const numNota = sampleNumber(params);
  let last: { readonly document: JsonObject; readonly transaction: JsonObject } | undefined;
  /** Caches the transaction of the last document, since each rule over the file needs it. */
  const transactionIn = (document: JsonObject): JsonObject => {
    if (last?.document !== document)
      last = { document, transaction: transactionOf(document, numDocumentoIdObligado, numNota) };
    return last.transaction;
  };
  /** Removes issues of derived fields whose source has an issue already. */
  const withoutReported = (
    document: JsonObject,
    reported: readonly Issue[],
    issues: readonly Issue[],
  ): readonly Issue[] => {
    if (reported.length === 0) return issues;
    const pointers = new Set(reported.map(({ place }) => place.pointer));
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
    shape: (document, faults) => withoutReported(document, faults, faults),
    rules(document, shape, options) {
      const issues = checkRules(schema, transactionIn(document), options);
      return issues.length === 0 ? issues : withoutReported(document, shape, issues.map(inAttention));
    },
    batch: batchRules(schema).map((rule) => ({
      ...rule,
      keysOf(document) {
        const found = rule.keysOf(transactionIn(document));
        return found.length === 0 ? NO_KEYS : found.map((key) => new KeyInAttention(key));
      },
    })),
    origins(document, origins, from) {
      const trace = from === undefined ? origins.trace : nationalTrace(origins.trace, from, users);
      const places = new Map(trace);
      for (const [leaf, sources] of nationalSources(document, profile)) {
        if ((places.get(leaf) ?? []).length > 0) continue;
        const source = sources.find((pointer) => (trace.get(pointer) ?? []).length > 0);
        const ofSource = source === undefined ? undefined : trace.get(source);
        if (source === undefined || ofSource === undefined) continue;
        places.set(leaf, ofSource);
        // For JSON the journal stores the places of fields and of their parents.
        if (from === undefined) continue;
        places.set(source, ofSource);
        const item = source.slice(0, source.lastIndexOf('/'));
        const ofItem = trace.get(item);
        if (!places.has(item) && ofItem !== undefined) places.set(item, ofItem);
      }
      const stated = trace.get(INCAPACITY.national) ?? [];
      if (stated.length > 0 && !places.has(INCAPACITY.patient)) places.set(INCAPACITY.patient, stated);
      return { trace: from === undefined ? places : nationalTrace(places, from, users) };
    },
  };
}
