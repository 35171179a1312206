import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttentionParts, attentionOf } from '../../src/families/rips/attention.js';
import { groupOf, STARTS } from '../../src/families/rips/national.js';
import { forDeployment } from '../../src/families/rips/planner.js';
import type { PlanInput } from '../../src/send/documents.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { type Document, makeDocument } from '../../src/toolkit/schema/document.js';
import { prepareFiles } from '../support/prepare-file.js';
import { chanceOf } from './chance.js';

const SAMPLES = new URL('../../samples/rips/', import.meta.url).pathname;
/** Folder and mapping. Some patients come to the clinic several times, and in more than one of the files. */
const LAYOUTS = [
  ['interfaz', 'interfaz'],
  ['consultas', 'consultas'],
  ['grupos', 'excel-por-nodo'],
  ['3374', '3374-zip'],
] as const;

/** A visit as a mapping makes it. */
type Visit = Pick<Document, 'key'> & { readonly draft: Document; readonly document: AttentionParts };

async function visitsOf([name, mapping]: (typeof LAYOUTS)[number]): Promise<readonly Visit[]> {
  const folder = join(SAMPLES, name);
  const files = readdirSync(folder)
    .filter((file) => !file.endsWith('.json'))
    .map((file) => join(folder, file));
  const params = JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')) as Record<string, unknown>;
  const { drafts } = await prepareFiles({ files, mapping: `mappings/rips/${mapping}.yaml`, params });
  return drafts.map((draft) => ({
    draft,
    key: `${name} ${draft.key}`,
    document: attentionOf(draft.body),
  }));
}

let all: Promise<readonly Visit[]> | undefined;
/** Every visit of the samples, made once a process by the real pipeline. */
const allVisits = (): Promise<readonly Visit[]> => {
  all ??= Promise.all(LAYOUTS.map(visitsOf)).then((lists) => lists.flat());
  return all;
};

/** In a hundred visits: those whose file knows another surname and address, and those with a second package at the same time. */
const RENAMED = 15;
const TWINS = 25;

const renamed = (document: AttentionParts): AttentionParts => ({
  ...document,
  patient: {
    ...document.patient,
    last_name: `${document.patient['last_name']} Nieto`,
    email: `nuevo.${document.patient['email']}`,
  },
});

/** Other care in the same appointment, which no list tells from it. */
const twin = (document: AttentionParts): AttentionParts => ({
  ...document,
  document: { ...document.document, services: document.document.services.map(later) },
});

function later(service: JsonObject): JsonObject {
  const group = groupOf(service['service_type_id']);
  const start = group === undefined ? undefined : STARTS[group];
  return start === undefined || typeof service[start] !== 'string'
    ? service
    : { ...service, [start]: service[start].replace(/T\d\d:\d\d/, 'T05:45') };
}

const NOTES = { prefix: 'RS-2026-10-', width: 4 };

/** Visits by chance, in any order, ready to be laid into a journal; all of them are good. */
export async function ripsCast(seed: number, count: number): Promise<readonly PlanInput[]> {
  const { next, below } = chanceOf(seed, 'visits');
  const left = [...(await allVisits())];
  const chosen: Visit[] = [];
  while (chosen.length < count && left.length > 0) {
    const [visit] = left.splice(below(left.length), 1);
    const { document } = visit!;
    chosen.push(next() * 100 < RENAMED ? { ...visit!, document: renamed(document) } : visit!);
    if (next() * 100 < TWINS)
      chosen.push({ ...visit!, key: `${visit!.key} again`, document: twin(document) });
  }
  return chosen.map(({ draft, key, document }, index) => {
    const body = forDeployment(document, { notes: NOTES }, 0);
    const { schema, trace } = draft;
    return makeDocument({ schema, trace, key, sequence: index + 1, body });
  });
}
