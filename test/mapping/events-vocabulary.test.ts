import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { squash } from '../../src/toolkit/core/text.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { namesOf } from '../../src/toolkit/mapping/vocabulary.js';
import { mappingOver } from '../../src/toolkit/mapping/yaml-source.js';
import { type Decided, expectDecided, shownColumns, yaml } from '../support/core-forms.js';

const VOCABULARY = yaml('mappings/vocabularies/events.yaml');
const core = (name: string): JsonObject => yaml(`test/mapping/core/events-${name}.yaml`);

interface EventConcept {
  readonly names: readonly string[];
  readonly numbers: readonly string[];
  readonly column?: string;
  readonly titles?: readonly string[];
}

const ONE_TEXT: Decided = [
  [/^\/params\/\w+\/about\//, 'a parameter is explained in one way'],
  [/^\/checks\/\d+\/fix\//, 'what must hold of an invoice is said in one way'],
];
const FOUND: Decided[number] = [/\/cufe\/read$/, 'a CUFE is found in a link'];
const ONE_READING: Decided = [
  FOUND,
  [/\/receiver_document\/prefix$/, 'the kind of a document may stand before its number'],
  [/\/attached\/columns\/(total|seller_id)\/titles/, 'a file has each under one title'],
];
/** What differs on purpose from the core form that layouts had, each with its reason. */
const DECIDED: Readonly<Record<string, Decided>> = {
  list: [...ONE_TEXT.slice(1), ...ONE_READING],
  columns: [...ONE_TEXT.slice(1), ...ONE_READING],
  invoices: [
    ...ONE_TEXT.slice(1),
    ...ONE_READING,
    [/\/ignore$/, 'the base declines these already'],
    [/\/usual$/, 'a state of another kind is asked about'],
  ],
  'list-with-files': [...ONE_TEXT.slice(1), ...ONE_READING],
  attached: [...ONE_TEXT, FOUND],
  reception: [FOUND],
};

describe.each(Object.entries(DECIDED))('events/%s', (name, decided) => {
  const { extends: base, ...own } = core(name);
  const before = base === undefined ? own : (mappingOver(core('list'), own) as JsonObject);

  test('is what its core form was, but for what was decided', async () => {
    const { spec } = await loadMapping(`mappings/events/${name}.yaml`);
    expectDecided({ ...before, cargue: 1 }, { ...spec } as unknown as JsonObject, decided);
    // Files have no template.
    const events = (tables: unknown): unknown =>
      shownColumns({ events: (tables as JsonObject)['events'] ?? {} });
    expect(events(spec.tables)).toEqual(events(before['tables']));
  });
});

describe('an event has one list of names', () => {
  const before = core('names') as unknown as {
    readonly columns: Readonly<Record<string, readonly string[]>>;
    readonly words: Readonly<Record<string, readonly string[]>>;
  };
  const { columns, classes } = namesOf(VOCABULARY);
  const lost = (old: readonly string[], now: readonly string[] = []): readonly string[] => {
    const known = new Set(now.map(squash));
    return old.filter((name) => !known.has(squash(name)));
  };

  test.each(Object.entries(before.columns))('%s keeps all titles', (id, titles) => {
    expect(lost(titles, columns[id])).toEqual([]);
  });

  test.each(Object.entries(before.words))('%s keeps all words', (event, words) => {
    // A number stands beside the name, with nothing between them.
    expect(lost(words, classes['events']![event]).filter((word) => !/^0?32\*/.test(word))).toEqual([]);
  });

  const { tables } = compileMapping('own.yaml', 'cargue: 1\nextends: events/list\nname: own\n');
  const words = tables.get('events')!.columns.get('event_code')!.sorts!;
  const concepts = Object.entries(
    VOCABULARY['concepts'] as unknown as Readonly<Record<string, EventConcept>>,
  );

  test.each(concepts)(
    'every title of %s means it as a word too, unless it says too little',
    (event, concept) => {
      const { column, titles = [] } = concept;
      const other = (columns[column ?? ''] ?? []).filter((title) => words.classOf(title) !== event);
      expect(other.filter((title) => !titles.includes(title))).toEqual([]);
    },
  );

  test.each(concepts)(
    '%s is known by each name with its number, and by none with that of another',
    (event, concept) => {
      const { names, numbers } = concept;
      const plain = names.filter((name) => !name.includes('*'));
      const others = concepts.filter(([other]) => other !== event).map(([other]) => other);
      for (const name of plain)
        for (const number of numbers)
          for (const word of [
            `${number} - ${name}`,
            `${name} (${number})`,
            `${number}. ${name}`.toUpperCase(),
          ])
            expect(words.classOf(word), word).toBe(event);
      for (const number of others.filter((other) => other.startsWith('03')))
        expect(words.classOf(`${number} ${plain[0]}`), number).toBeUndefined();
    },
  );
});

test('a mapping names an event otherwise for all layouts', () => {
  const own = (base: string) =>
    compileMapping(
      'own.yaml',
      `cargue: 1\nextends: events/${base}\nname: own\nconcepts:\n  "032": { names: [+Entrega conforme] }\n`,
    ).tables.get('events')!.columns;
  expect(own('columns').get('received')!.wanted!.titles).toContain('Entrega conforme');
  for (const word of ['Entrega conforme', '032 - ENTREGA CONFORME'])
    expect(own('list').get('event_code')!.sorts!.classOf(word), word).toBe('032');
});
