import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { type CuneParts, cune, DELETION_PARTS } from '../../../src/families/payroll/cune.js';
import { production, type Reply, send } from '../client.js';
import { deletion, payroll, replacement, worker } from '../payroll-requests.js';

/** Attributes by `Element.attribute`, texts by element; throws when the XML is not well-formed. */
function read(reply: Reply): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const parser = new SaxesParser();
  let open = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open = name;
    for (const [key, value] of Object.entries(attributes)) found[`${name}.${key}`] = value;
  });
  parser.on('text', (text) => {
    found[open] = text;
  });
  parser.write(Buffer.from(String(reply.at('/payrollxml')), 'base64').toString('utf8')).close();
  return found;
}

/** What a client that knows the PIN recomputes. */
const recomputed = (xml: Readonly<Record<string, string>>, workerDocument: string): string => {
  const general = (name: string): string => xml[`InformacionGeneral.${name}`] ?? '';
  const parts: CuneParts = {
    number: xml['NumeroSecuenciaXML.Numero'] ?? '',
    issueDate: general('FechaGen'),
    issueTime: general('HoraGen'),
    accrued: xml['DevengadosTotal'] ?? DELETION_PARTS.accrued,
    deductions: xml['DeduccionesTotal'] ?? DELETION_PARTS.deductions,
    net: xml['ComprobanteTotal'] ?? DELETION_PARTS.net,
    employerNit: xml['Empleador.NIT'] ?? '',
    workerDocument,
    xmlType: general('TipoXML') as CuneParts['xmlType'],
    softwarePin: '12345',
    environment: general('Ambiente') as CuneParts['environment'],
  };
  return cune(parts);
};

describe('payrollxml', () => {
  it('is well-formed and carries every part of its CUNE', async () => {
    const box = await production();
    const original = await send(box, payroll());
    const number = String(original.at('/cune'));
    for (const reply of [original, await send(box, replacement(number))]) {
      const xml = read(reply);
      expect(recomputed(xml, xml['Trabajador.NumeroDocumento'] ?? '')).toBe(reply.at('/cune'));
    }
    const deleted = await send(box, deletion(number));
    const xml = read(deleted);
    expect(xml['Trabajador.NumeroDocumento']).toBeUndefined();
    expect(xml['EliminandoPredecesor.CUNEPred']).toBe(number);
    expect(recomputed(xml, DELETION_PARTS.workerDocument)).toBe(deleted.at('/cune'));
  });

  it('keeps names as they are', async () => {
    const surname = 'O"Hara & <Ñáñez>';
    const reply = await send(await production(), payroll({ worker: { ...worker('1'), surname } }));
    expect(read(reply)['Trabajador.PrimerApellido']).toBe(surname);
  });
});
