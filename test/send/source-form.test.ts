import { expect, test } from 'vitest';
import { sourceForm } from '../../src/families/rips/answer.js';

test.each<[string, string | undefined]>([
  ['/usuarios/*/servicios/consultas/*/vrServicio', '/document/services/*/vrServicio'],
  ['/usuarios/*/servicios/recienNacidos/*/peso', '/document/services/*/peso'],
  ['/usuarios/*/fechaNacimiento', '/patient/birth_date'],
  ['/numNota', '/document/note_number'],
  ['/usuarios/*/servicios/consultas', undefined],
  ['/usuarios/*/registroSIRAS', undefined],
  ['/usuarios', undefined],
  ['/numDocumentoIdObligado', undefined],
])('%s', (leaf, source) => {
  expect(sourceForm(leaf)).toBe(source);
});
