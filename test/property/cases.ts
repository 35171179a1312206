import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A sound input: its files, and the mapping and parameters that are known to make the right documents of them. */
export interface Case {
  readonly name: string;
  readonly files: readonly string[];
  readonly mapping: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const folderCase = (folder: string, mapping: string, params?: Readonly<Record<string, unknown>>): Case => ({
  name: folder,
  files: readdirSync(join('samples', folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:params|esperado)\.json$|\.(?:yaml|png)$/.test(entry.name))
    .map(({ name }) => join('samples', folder, name)),
  mapping: mapping === '' ? join('samples', folder, 'mapeo.yaml') : `mappings/${mapping}.yaml`,
  params:
    params ??
    (JSON.parse(readFileSync(join('samples', folder, 'params.json'), 'utf8')) as Record<string, unknown>),
});

const OTHER_PROGRAM = 'test/golden/rips/otro-programa';
const EXPECTED = JSON.parse(readFileSync(`${OTHER_PROGRAM}/esperado.json`, 'utf8')) as {
  params: Record<string, unknown>;
};

const FILES = 'test/property/files';
const PARAMS = JSON.parse(readFileSync(`${FILES}/params.json`, 'utf8')) as Record<
  string,
  Record<string, unknown>
>;

const { evento: _, ...EVENT_PARAMS } = PARAMS['recibidos']!;

const fileCase = (name: string, mapping: string): Case => ({
  name,
  files: [`${FILES}/${name}.xlsx`],
  mapping,
  params: PARAMS[name]!,
});

export const CASES: readonly Case[] = [
  folderCase('payroll', 'payroll/wide'),
  folderCase('payroll/desordenada', ''),
  folderCase('payroll/multihoja', 'payroll/multi-sheet'),
  folderCase('payroll/conceptos', 'payroll/long'),
  folderCase('payroll/ajustes', 'payroll/adjust'),
  folderCase('payroll/quincenas', ''),
  folderCase('payroll/abreviada', 'payroll/nomexp'),
  folderCase('payroll/ingles', ''),
  fileCase('libro-del-contador', `${FILES}/libro-del-contador.yaml`),
  folderCase('rips/interfaz', 'rips/interfaz'),
  folderCase('rips/consultas', 'rips/consultas'),
  folderCase('rips/grupos', 'rips/excel-por-nodo'),
  folderCase('rips/lista', 'rips/lista'),
  folderCase('rips/3374', 'rips/3374-zip'),
  folderCase('rips/consultorio', ''),
  folderCase('rips/nodos', ''),
  {
    name: 'rips/otro-programa',
    files: ['RIPS_OCT2026.json', 'pacientes.csv'].map((name) => join(OTHER_PROGRAM, name)),
    mapping: 'mappings/rips/json-envio.yaml',
    params: EXPECTED.params,
  },
  { ...folderCase('events', 'events/list', {}), files: ['samples/events/eventos-facturas-recibidas.csv'] },
  // A file that is sent as it is differs by each of its bytes.
  folderCase('events/lista-y-zip', '', { ...EVENT_PARAMS, issuer_party_events: [1, 3], by_cufe: true }),
  {
    ...folderCase('events', 'events/attached', { ...EVENT_PARAMS, event_id: 1, by_cufe: true }),
    name: 'events/adjuntos',
    files: ['samples/events/adjuntos.zip'],
  },
  fileCase('recibidos', 'mappings/events/invoices.yaml'),
];
