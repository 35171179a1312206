import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** Files of clinics, made of the samples' own records with patients of their own, so that a check finds no error. */

/** A layout, and what tells one patient of it from another. */
export interface CareLayout {
  readonly sample: string;
  readonly params: string;
  readonly mapping: string;
  readonly encoding: 'utf8' | 'latin1';
  readonly delimiter: ',' | ';';
  /** Records of the sample that are as they should be. */
  readonly good: (record: Readonly<Record<string, string>>) => boolean;
  /** Columns that belong to the person: all visits of one have them alike. */
  readonly person: readonly string[];
  /** What the person's number makes of them. */
  readonly own: (person: number) => Readonly<Record<string, string>>;
  /** What the day of a visit makes of the others. */
  readonly on: (day: string) => Readonly<Record<string, string>>;
}

const documentOf = (person: number): string => String(9_000_000_000 + person);

/** One record per consultation under the interface's names (layout of r1). */
export const INTERFACE: CareLayout = {
  sample: 'samples/rips/interfaz/consultas.csv',
  params: 'samples/rips/interfaz/params.json',
  mapping: 'mappings/rips/interfaz.yaml',
  encoding: 'utf8',
  delimiter: ',',
  good: () => true,
  person: [
    'type_document_identification_id',
    'document_number',
    'name',
    'last_name',
    'email',
    'birth_date',
    'rips_user_type_id',
    'rips_gender_id',
    'municipality_id',
    'rips_zone_id',
    'country_code',
  ],
  own: (person) => ({
    document_number: documentOf(person),
    type_document_identification_id: '3',
    birth_date: '1985-03-04',
    email: `persona${person}@correo.example`,
  }),
  on: (day) => ({
    date: `2026-10-${day}`,
    time: '10:20',
    fechaInicioAtencion: `2026-10-${day}T10:20:00`,
  }),
};

/** The list of a clinic's desktop program with Spanish headers (layout of r2). */
export const CLINIC: CareLayout = {
  sample: 'samples/rips/consultas/Consultas octubre.csv',
  params: 'samples/rips/consultas/params.json',
  mapping: 'mappings/rips/consultas.yaml',
  encoding: 'latin1',
  delimiter: ';',
  good: (record) =>
    /^\d{6}$/.test(record['CUPS']!) &&
    /^([1-9]|[12]\d|30)\/\d+\/2026$/.test(record['Fecha Consulta']!) &&
    /^[A-Z]\d/.test(record['Dx']!) &&
    /^[FM]/.test(record['Sexo']!) &&
    !record['Valor']!.startsWith('-'),
  person: [
    'Tipo Doc',
    'Documento',
    'Primer Nombre',
    'Segundo Nombre',
    'Primer Apellido',
    'Segundo Apellido',
    'Fecha Nac',
    'Sexo',
    'Régimen',
    'Cód. Municipio',
    'Zona',
    'Correo',
    'Dirección',
  ],
  own: (person) => ({
    'Tipo Doc': 'CC',
    Documento: documentOf(person),
    'Fecha Nac': '4/3/1985',
    Correo: `persona${person}@correo.example`,
  }),
  on: (day) => ({ 'Fecha Consulta': `${Number(day)}/10/2026` }),
};

const VISITS = 4;
/** Every so many-th person has two services in each appointment: two records of one document. */
const DOUBLE = 7;

/** A number that has no divisor in common with any number of records used here: multiples of it pass by every record once. */
const SHUFFLE = 1_000_003;

const quoted = (text: string, delimiter: string): string =>
  /["\n\r]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;

/** Four visits of each person, standing together or anywhere in the file; made once. */
export async function makeCare(
  path: string,
  records: number,
  { sample, encoding, delimiter, good, person, own, on }: CareLayout,
  sorted: boolean,
): Promise<void> {
  if (existsSync(path)) return;
  const rows: Record<string, string>[] = parse(
    new TextDecoder(encoding === 'utf8' ? 'utf-8' : 'windows-1252').decode(readFileSync(sample)),
    {
      delimiter,
      columns: true,
      bom: true,
    },
  );
  const columns = Object.keys(rows[0]!);
  const templates = rows.filter(good);
  const out = createWriteStream(path, { encoding });
  out.write(`${columns.map((column) => quoted(column, delimiter)).join(delimiter)}\n`);
  let block = '';
  for (let index = 0; index < records; index++) {
    const at = sorted ? index : Number((BigInt(index) * BigInt(SHUFFLE)) % BigInt(records));
    const who = Math.floor(at / VISITS);
    const patient = templates[who % templates.length]!;
    const record = { ...templates[at % templates.length]! };
    for (const column of person) record[column] = patient[column]!;
    const visit = at % VISITS;
    const day = 1 + 7 * (who % DOUBLE === 0 ? visit >> 1 : visit);
    Object.assign(record, own(who), on(String(day).padStart(2, '0')));
    block += `${columns.map((column) => quoted(record[column]!, delimiter)).join(delimiter)}\n`;
    if (block.length < 1 << 16) continue;
    if (!out.write(block)) await once(out, 'drain');
    block = '';
  }
  out.end(block);
  await once(out, 'finish');
}

/** The same records in so many files, each with the header; made once. */
export async function splitCare(path: string, folder: string, files: number): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(folder);
  const [header, ...records] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const each = Math.ceil(records.length / files);
  for (let at = 0; at < files; at++)
    writeFileSync(
      join(folder, `consultas-${String(at + 1).padStart(2, '0')}.csv`),
      `${[header, ...records.slice(at * each, (at + 1) * each)].join('\n')}\n`,
    );
}
