import { createHash } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { admin, production, type Reply, result, sandbox, send, sendTest } from '../client.js';
import { deletion, payroll, payrollOf, replacement, worker } from '../payroll-requests.js';

interface Element {
  /** From the root: `NominaIndividual/Devengados/HEDs/HED`. */
  readonly path: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements in their order; throws when the XML is not well-formed. */
function elementsOf(xml: string): readonly Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { path: [open.at(-1)?.path, name].filter(Boolean).join('/'), attributes, text: '' };
    found.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const inner = open.at(-1);
    if (inner !== undefined) inner.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  return found;
}

const decoded = (base64: unknown): string => Buffer.from(String(base64), 'base64').toString('utf8');
const xmlOf = (reply: Reply): readonly Element[] => elementsOf(decoded(reply.at('/payrollxml')));

const named = (elements: readonly Element[], name: string): Element | undefined =>
  elements.find(({ path }) => path.endsWith(`/${name}`));

/** The annex, 8.1, read from the XML and the PIN alone; nothing of ours is used. */
function recomputed(elements: readonly Element[], pin = '12345'): string {
  const attribute = (element: string, name: string): string =>
    named(elements, element)?.attributes[name] ?? '';
  const isDeletion = named(elements, 'EliminandoPredecesor') !== undefined;
  const amount = (name: string): string => (isDeletion ? '0.00' : (named(elements, name)?.text ?? ''));
  const joined = [
    attribute('NumeroSecuenciaXML', 'Numero'),
    attribute('InformacionGeneral', 'FechaGen'),
    attribute('InformacionGeneral', 'HoraGen'),
    amount('DevengadosTotal'),
    amount('DeduccionesTotal'),
    amount('ComprobanteTotal'),
    attribute('Empleador', 'NIT'),
    isDeletion ? '0' : attribute('Trabajador', 'NumeroDocumento'),
    attribute('InformacionGeneral', 'TipoXML'),
    pin,
    attribute('InformacionGeneral', 'Ambiente'),
  ].join('');
  return createHash('sha384').update(joined).digest('hex');
}

/** Every concept that a request can have, its totals right. */
const HOURS = { start_time: '2026-03-12T15:00:00', end_time: '2026-03-12T16:00:00', quantity: '1' };
const DAYS = { start_date: '2026-03-02', end_date: '2026-03-03', quantity: '2' };
const OVERTIME = ['HEDs', 'HENs', 'HRNs', 'HEDDFs', 'HRDDFs', 'HENDFs', 'HRNDFs'];
const EVERYTHING: JsonObject = {
  accrued: {
    worked_days: 30,
    salary: '2000000.00',
    transportation_allowance: '200000.00',
    salary_viatics: '1.00',
    non_salary_viatics: '2.00',
    ...Object.fromEntries(
      OVERTIME.map((list, at) => [list, [{ ...HOURS, percentage: at + 1, payment: `${10 + at}.00` }]]),
    ),
    common_vacation: [{ ...DAYS, payment: '20.00' }],
    paid_vacation: [{ quantity: '1', payment: '21.00' }],
    service_bonus: [{ quantity: '1', payment: '22.00', paymentNS: '23.00' }],
    severance: [{ payment: '24.00', percentage: '12.00', interest_payment: '25.00' }],
    work_disabilities: [{ ...DAYS, type: 1, payment: '26.00' }],
    maternity_leave: [{ ...DAYS, payment: '27.00' }],
    paid_leave: [{ ...DAYS, payment: '28.00' }],
    non_paid_leave: [DAYS],
    bonuses: [{ salary_bonus: '29.00', non_salary_bonus: '30.00' }],
    aid: [{ salary_assistance: '31.00', non_salary_assistance: '32.00' }],
    legal_strike: [DAYS],
    other_concepts: [{ description_concept: 'Otro', salary_concept: '33.00', non_salary_concept: '34.00' }],
    compensations: [{ ordinary_compensation: '35.00', extraordinary_compensation: '36.00' }],
    epctv_bonuses: [
      {
        paymentS: '37.00',
        paymentNS: '38.00',
        salary_food_payment: '39.00',
        non_salary_food_payment: '40.00',
      },
    ],
    commissions: [{ commission: '41.00' }, { commission: '42.00' }],
    third_party_payments: [{ third_party_payment: '43.00' }],
    advances: [{ advance: '44.00' }],
    endowment: '45.00',
    sustenance_support: '46.00',
    telecommuting: '47.00',
    withdrawal_bonus: '48.00',
    compensation: '49.00',
    accrued_total: '2201129.00',
  },
  deductions: {
    eps_type_law_deductions_id: 1,
    eps_deduction: '80000.00',
    pension_type_law_deductions_id: 5,
    pension_deduction: '80000.00',
    fondossp_type_law_deductions_id: 9,
    fondosp_deduction_SP: '50.00',
    fondossp_sub_type_law_deductions_id: 9,
    fondosp_deduction_sub: '51.00',
    labor_union: [{ percentage: '1.00', deduction: '52.00' }],
    sanctions: [{ public_sanction: '53.00', private_sanction: '54.00' }],
    orders: [{ description: 'Libranza', deduction: '55.00' }],
    third_party_payments: [{ third_party_payment: '56.00' }],
    advances: [{ advance: '57.00' }],
    other_deductions: [{ other_deduction: '58.00' }],
    voluntary_pension: '59.00',
    withholding_at_source: '60.00',
    afc: '61.00',
    cooperative: '62.00',
    tax_liens: '63.00',
    supplementary_plan: '64.00',
    education: '65.00',
    refund: '66.00',
    debt: '67.00',
    deductions_total: '161053.00',
  },
};

describe('the CUNE', () => {
  it('of every kind of document is that of its XML', async () => {
    const box = await production();
    const original = await send(box, payroll());
    const cune = String(original.at('/cune'));
    for (const reply of [original, await send(box, replacement(cune)), await send(box, deletion(cune))])
      expect(recomputed(xmlOf(reply))).toBe(reply.at('/cune'));
  });

  it.each([
    ['a document with letters', payroll({ worker: { ...worker('1'), identification_number: 'XZ900118' } })],
    [
      'amounts as numbers',
      payrollOf('7', 7, { accrued: { ...(payroll()['accrued'] as JsonObject), accrued_total: 2599095 } }),
    ],
    ['every concept', payroll(EVERYTHING)],
  ])('with %s', async (_name, body) => {
    const reply = await sendTest(await sandbox(), body);
    expect(recomputed(xmlOf(reply))).toBe(reply.at('/cune'));
  });

  it('with another PIN and another clock', async () => {
    const companies = [{ nit: '860012345', softwarePin: '54321' }];
    const reply = await sendTest(await sandbox({ companies, clock: '2027-01-01T04:59:59Z' }), payroll());
    const elements = xmlOf(reply);
    expect(named(elements, 'InformacionGeneral')?.attributes['HoraGen']).toBe('23:59:59-05:00');
    expect(recomputed(elements, '54321')).toBe(reply.at('/cune'));
    expect(recomputed(elements)).not.toBe(reply.at('/cune'));
  });
});

describe("the annex's form", () => {
  const PARTS = [
    'Periodo',
    'NumeroSecuenciaXML',
    'LugarGeneracionXML',
    'ProveedorXML',
    'CodigoQR',
    'InformacionGeneral',
    'Notas',
    'Empleador',
    'Trabajador',
    'Pago',
    'FechasPagos',
    'Devengados',
    'Deducciones',
    'DevengadosTotal',
    'DeduccionesTotal',
    'ComprobanteTotal',
  ];
  const below = (elements: readonly Element[], parent: string): string[] =>
    elements.flatMap(({ path }) =>
      path.startsWith(`${parent}/`) && !path.slice(parent.length + 1).includes('/')
        ? [path.slice(parent.length + 1)]
        : [],
    );

  it('has its parts in order, of payrolls and of both notes', async () => {
    const box = await production();
    const first = await send(box, payroll({ notes: 'Marzo' }));
    expect(below(xmlOf(first), 'NominaIndividual')).toEqual(['ext:UBLExtensions', 'Novedad', ...PARTS]);
    const cune = String(first.at('/cune'));
    const replaced = xmlOf(await send(box, replacement(cune, 1, { notes: 'Corrige' })));
    expect(below(replaced, 'NominaIndividualDeAjuste')).toEqual([
      'ext:UBLExtensions',
      'TipoNota',
      'Reemplazar',
    ]);
    expect(below(replaced, 'NominaIndividualDeAjuste/Reemplazar')).toEqual([
      'ReemplazandoPredecesor',
      ...PARTS,
    ]);
    const deleted = xmlOf(await send(box, deletion(cune)));
    expect(below(deleted, 'NominaIndividualDeAjuste/Eliminar')).toEqual([
      'EliminandoPredecesor',
      ...PARTS.slice(1, 8),
    ]);
    expect(named(deleted, 'EliminandoPredecesor')?.attributes).toEqual({
      NumeroPred: '1001',
      CUNEPred: cune,
      FechaGenPred: '2026-03-31',
    });
  });

  it("names people, places and concepts by DIAN's codes", async () => {
    const elements = xmlOf(await send(await production(), payroll()));
    expect(named(elements, 'Trabajador')?.attributes).toMatchObject({
      TipoTrabajador: '01',
      SubTipoTrabajador: '00',
      AltoRiesgoPension: 'false',
      TipoDocumento: '13',
      NumeroDocumento: '1020304050',
      LugarTrabajoDepartamentoEstado: '11',
      LugarTrabajoMunicipioCiudad: '11001',
      TipoContrato: '2',
      Sueldo: '2200000.00',
    });
    expect(named(elements, 'HED')?.attributes).toEqual({
      HoraInicio: '2026-03-12T15:00:00',
      HoraFin: '2026-03-12T19:00:00',
      Cantidad: '4',
      Porcentaje: '25.00',
      Pago: '50000.00',
    });
    expect(named(elements, 'Salud')?.attributes).toEqual({ Porcentaje: '4.00', Deduccion: '90000.00' });
    expect(named(elements, 'ProveedorXML')?.attributes['SoftwareSC']).toBe(
      createHash('sha384').update('sandbox12345NI1001').digest('hex'),
    );
  });

  it('carries every amount of every concept once: they add up to the totals', async () => {
    const reply = await send(await production(), payroll(EVERYTHING));
    const elements = xmlOf(reply);
    expect(reply.at('/ResponseDian/Envelope/Body/SendNominaSyncResponse/SendNominaSyncResult/IsValid')).toBe(
      'true',
    );
    const NO_MONEY = /^(Fecha|Hora|Cantidad|Porcentaje|Dias|Tipo|Descripcion)/;
    const sum = (part: string): number =>
      elements
        .filter(({ path }) => path.startsWith(`NominaIndividual/${part}/`))
        .flatMap(({ attributes, text }) => [
          ...Object.entries(attributes).flatMap(([name, value]) => (NO_MONEY.test(name) ? [] : [value])),
          ...(text === '' ? [] : [text]),
        ])
        .reduce((total, value) => total + Math.round(Number(value) * 100), 0);
    expect(sum('Devengados')).toBe(220112900);
    expect(sum('Deducciones')).toBe(16105300);
  });

  it('keeps names as they are', async () => {
    const surname = 'O"Hara & <Ñáñez>';
    const reply = await send(await production(), payroll({ worker: { ...worker('1'), surname } }));
    expect(named(xmlOf(reply), 'Trabajador')?.attributes['PrimerApellido']).toBe(surname);
  });
});

describe('the XML is kept', () => {
  it('of what was accepted, and returned by the send and to the admin', async () => {
    const box = await production();
    const sent = await send(box, payroll());
    const xml = sent.at('/payrollxml');
    expect([sent.at('/unsignedpayrollxml'), result(sent)['XmlBase64Bytes']]).toEqual([xml, xml]);
    const cune = String(sent.at('/cune'));
    const kept = await admin(box, 'GET', `/documents/${cune}/xml`);
    expect([kept.headers.get('content-type'), kept.text]).toEqual([
      expect.stringContaining('application/xml'),
      decoded(xml),
    ]);
    expect((await admin(box, 'GET', `/documents/${'0'.repeat(96)}/xml`)).status).toBe(404);
  });

  it('of a test set too, and not of what was rejected', async () => {
    const box = await sandbox();
    const receipt = await sendTest(box, payroll());
    expect(box.controls.xml(String(receipt.at('/cune')))).toBe(decoded(receipt.at('/payrollxml')));
    const rejected = await sendTest(box, payroll({ notes: 'cargue:reject NIE024', consecutive: 2 }));
    expect(box.controls.xml(String(rejected.at('/cune')))).toBeUndefined();
  });
});
