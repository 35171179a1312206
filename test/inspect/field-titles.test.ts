import { expect, test } from 'vitest';
import '../../src/families/registry.js';
import { fieldsOf } from '../../src/toolkit/inspect/label-questions.js';
import { usesOf } from '../../src/toolkit/inspect/uses.js';
import { readMapping } from '../../src/toolkit/mapping/load.js';
import { readyFile, readyNames } from '../../src/toolkit/mapping/shipped.js';

/** `codDiagnosticoCIE11`, `DOC_RN`, `Cod diagnostico cie11`, `Num documento id obligado` */
const TECHNICAL = /^[a-z]|_|^(Cod|Nom|Num|Vr) [a-z]/;

/** Fields that have no title but the name of their column in the flat format that alone knows them. */
const NAMED_BY_FORMAT = ['cod_servicio', 'cod_servicio_proc'];

test('the fields of every ready-made mapping have titles for people, no two alike in a table', () => {
  const fields = readyNames().flatMap((name) => {
    const mapping = readMapping(readyFile(name));
    const fit = { mapping, uses: usesOf(mapping) };
    return [...mapping.tables.values()].map((table) => ({ name, fields: fieldsOf(table, fit, 'es') }));
  });
  const technical = fields.flatMap(({ name, fields }) =>
    fields
      .filter(({ value, title }) => TECHNICAL.test(title) && !NAMED_BY_FORMAT.includes(value))
      .map(({ value, title }) => [name, value, title]),
  );
  expect(technical).toEqual([]);
  const alike = fields.flatMap(({ name, fields }) => {
    const titles = fields.map(({ title, group }) => `${group}: ${title}`);
    return titles.filter((title, at) => titles.indexOf(title) !== at).map((title) => [name, title]);
  });
  expect(alike).toEqual([]);
});
