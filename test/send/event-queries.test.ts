import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { EVENT_QUERIES, type EventQuery } from '../../src/families/events/answer.js';
import type { JsonValue } from '../../src/toolkit/core/json.js';

const json = (body: JsonValue, status = 200): Answer => ({ kind: 'json', status, body }) as Answer;
type QueryName = keyof typeof EVENT_QUERIES;
const query = (name: QueryName): EventQuery => EVENT_QUERIES[name];

const OWN = {
  'Acuse de recibo de Factura Electrónica de Venta': true,
  'Recibo del bien y/o prestación del servicio': true,
  'Aceptación expresa': false,
  'Reclamo de la Factura Electrónica de Venta': false,
};

describe('reads', () => {
  test.each<[string, QueryName, JsonValue, unknown]>([
    [
      'the list of DIAN',
      'dian',
      { success: true, events: [{ dian_code: '030', date: '2026-11-20', cude: 'c' }, { dian_code: '999' }] },
      [{ code: '030', date: '2026-11-20', cude: 'c' }],
    ],
    [
      'the public page',
      'page',
      {
        success: 'true',
        Evento_030: [{ Fecha: '2026-11-20' }],
        Evento_031: [],
        Evento_032: [{ Fecha: 'hoy' }],
      },
      [{ code: '030', date: '2026-11-20' }, { code: '032' }],
    ],
    ['the public page without any', 'page', { success: 'false', message: 'Sin eventos' }, []],
    ['an own invoice', 'own', { success: true, ...OWN }, [{ code: '030' }, { code: '032' }]],
    ['an own invoice that nobody touched', 'own-number', { success: true, 'Aceptación Tácita': true }, []],
  ])('%s', (_name, by, body, value) => expect(query(by).read(json(body))).toEqual({ kind: 'done', value }));
});

test.each<[string, QueryName, Answer, string]>([
  ['an invoice that was not found', 'own', json({ success: false, message: 'No encontrado' }), 'refused'],
  ['a page without lists', 'page', json({ success: 'true' }), 'unknown'],
  ['a crash', 'dian', json({ message: 'Server Error' }, 500), 'unknown'],
  ['too many', 'dian', json({}, 429), 'throttled'],
  ['nobody', 'page', json({ message: 'Unauthenticated.' }, 401), 'refused-for-all'],
])('%s', (_name, by, answer, kind) => expect(query(by).read(answer).kind).toBe(kind));

test.each<[QueryName, string | undefined, unknown]>([
  ['dian', undefined, { path: { CUFE: 'x' } }],
  ['page', undefined, { path: { cufe: 'x', ambiente: 2 } }],
  ['own', undefined, { path: { uuid: 'x' } }],
  ['own-number', 'FV8006', { path: { prefix: 'FV', number: 8006 } }],
  ['own-number', 'A1B-22', { path: { prefix: 'A1B', number: 22 } }],
  ['own-number', '8006', undefined],
  ['own-number', undefined, undefined],
])('%s asks for %s', (by, number, request) =>
  expect(query(by).request({ id: 'x', name: 'x', ...(number !== undefined && { number }) }, 'test')).toEqual(
    request,
  ),
);
