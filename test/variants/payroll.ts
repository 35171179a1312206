import type { Chance } from '../chaos/chance.js';
import { type Grid, type Page, page, type Value, workbook } from '../inspect/grid.js';
import { type Column, gridOf, type Labelled as LabelledOf, labelled, shuffled } from './columns.js';
import {
  type Amount,
  DEDUCTIONS,
  documentOf,
  EARNINGS,
  OVERTIME,
  type Overtime,
  PARAMS,
  totalsOf,
  type Worker,
  workersOf,
} from './company.js';
import type { Known, Scene } from './scene.js';

type WorkerColumn = Column<Worker>;
type Labelled = LabelledOf<Worker>;

const dateOf = (text: string): Date => new Date(`${text}T00:00:00Z`);

const AREAS = ['PRODUCCIÓN', 'ADMINISTRACIÓN', 'VENTAS'];
const areaOf = ({ document }: Worker): string => AREAS[document % AREAS.length]!;

const SHORT_KINDS = { 'Cédula de ciudadanía': 'CC', 'Cédula de extranjería': 'CE' } as const;

const COLUMNS = {
  kind: {
    labels: ['Tipo documento', 'TIPO DOC.', 'Clase ID'],
    say: 'tipo de documento',
    value: ({ kind }) => SHORT_KINDS[kind],
  },
  document: {
    labels: ['Cédula', 'No. Identificación', 'C.C.', 'Documento', 'NUMERO DOCUMENTO'],
    say: 'número documento',
    value: ({ document }) => document,
  },
  code: {
    labels: ['Código', 'Ficha', 'No. personal', 'Cód. empleado'],
    say: undefined,
    value: ({ code }) => code,
  },
  surname: {
    labels: ['Primer apellido', 'APELLIDO 1', '1er Apellido'],
    say: 'primer apellido',
    value: ({ surname }) => surname,
  },
  second: {
    labels: ['Segundo apellido', 'APELLIDO 2', '2do Apellido'],
    say: 'segundo apellido',
    value: ({ second }) => second,
  },
  first: {
    labels: ['Primer nombre', 'NOMBRE 1', '1er Nombre'],
    say: 'primer nombre',
    value: ({ first }) => first,
  },
  middle: {
    labels: ['Otros nombres', 'NOMBRE 2', 'Segundo nombre'],
    say: 'otros nombres',
    value: ({ middle }) => middle ?? null,
  },
  admitted: {
    labels: ['Fecha ingreso', 'F. INGRESO', 'Fecha de vinculación', 'Alta'],
    say: 'fecha de ingreso',
    value: ({ admitted }) => dateOf(admitted),
  },
  contract: {
    labels: ['Tipo contrato', 'Contrato', 'CLASE CONTRATO'],
    say: 'tipo de contrato',
    value: ({ contract }) => contract,
  },
  townCode: {
    labels: ['Código municipio', 'COD. MPIO', 'DIVIPOLA'],
    say: 'código municipio',
    value: ({ town }) => town.code,
  },
  town: {
    labels: ['Municipio', 'Ciudad', 'CIUDAD DE TRABAJO'],
    say: 'municipio',
    value: ({ town }) => town.name,
  },
  department: {
    labels: ['Departamento', 'DPTO.'],
    say: 'departamento',
    value: ({ town }) => town.department,
  },
  address: {
    labels: ['Dirección', 'Dirección de trabajo', 'DIR. TRABAJO'],
    say: 'dirección',
    value: ({ address }) => address,
  },
  method: {
    labels: ['Medio de pago', 'Forma de pago', 'FORMA PAGO'],
    say: 'medio de pago',
    value: ({ method }) => method,
  },
  bank: { labels: ['Banco', 'Entidad bancaria'], say: 'banco', value: ({ bank }) => bank ?? null },
  accountKind: {
    labels: ['Tipo de cuenta', 'CLASE CTA', 'Tipo cta.'],
    say: 'tipo de cuenta',
    value: ({ bank }) => (bank === undefined ? null : 'Ahorros'),
  },
  account: {
    labels: ['Número de cuenta', 'No. CUENTA', 'Cuenta'],
    say: 'número de cuenta',
    value: ({ account }) => account ?? null,
  },
  base: {
    labels: ['Sueldo mensual', 'Salario base', 'ASIGNACIÓN BÁSICA', 'Salario mensual'],
    say: 'sueldo mensual',
    value: ({ base }) => base,
  },
  days: {
    labels: ['Días trabajados', 'DIAS LAB.', 'Días'],
    say: 'días trabajados',
    value: ({ days }) => days,
  },
} as const satisfies Readonly<Record<string, WorkerColumn>>;

/** Columns that files have and no document takes. */
const OTHERS: readonly WorkerColumn[] = [
  {
    labels: ['Cargo', 'CARGO'],
    say: undefined,
    value: ({ code }) => ['Operario', 'Auxiliar'][Number(code) % 2]!,
  },
  { labels: ['Centro de costo', 'C. COSTO'], say: undefined, value: ({ code }) => `CC-${Number(code) % 3}` },
  {
    labels: ['Observaciones'],
    say: undefined,
    value: ({ code }) => (Number(code) % 4 === 0 ? 'Revisado' : null),
  },
];

interface AmountWords {
  readonly labels: readonly string[];
  readonly say: string;
  /** What a list of concepts calls it. */
  readonly words: readonly string[];
}

const AMOUNTS: Readonly<Record<Amount, AmountWords>> = {
  salary: {
    labels: ['Salario devengado', 'Sueldo devengado', 'BÁSICO DEVENGADO', 'Sueldo del mes'],
    say: 'salario devengado',
    words: ['SUELDO BASICO', 'Salario', 'SUELDO'],
  },
  transport: {
    labels: ['Auxilio de transporte', 'AUX. TTE.', 'Subsidio transporte'],
    say: 'auxilio de transporte',
    words: ['AUXILIO DE TRANSPORTE', 'Aux. transporte'],
  },
  commission: {
    labels: ['Comisiones', 'COMIS.'],
    say: 'comisiones',
    words: ['COMISIONES', 'Comisión por ventas'],
  },
  salaryBonus: {
    labels: ['Bonificación salarial', 'BONIF. SALARIAL', 'Bono (constituye salario)'],
    say: 'bonificación salarial',
    words: ['BONIFICACION SALARIAL', 'Bono constitutivo'],
  },
  nonSalaryBonus: {
    labels: ['Bonificación no salarial', 'BONIF. NO PREST.', 'Bono sin incidencia salarial'],
    say: 'bonificación no salarial',
    words: ['BONIFICACION NO SALARIAL', 'Bono mera liberalidad', 'Bonif. no prest.'],
  },
  aid: {
    labels: ['Auxilio de rodamiento', 'AUX. RODAMIENTO', 'Auxilio no salarial'],
    say: 'auxilio no salarial',
    words: ['AUXILIO DE RODAMIENTO', 'Auxilio no salarial'],
  },
  health: {
    labels: ['Salud', 'DCTO. SALUD', 'Aporte salud', 'EPS'],
    say: 'salud',
    words: ['APORTE SALUD', 'EPS empleado'],
  },
  pension: {
    labels: ['Pensión', 'DCTO. PENSION', 'Aporte pensión', 'AFP'],
    say: 'pensión',
    words: ['APORTE PENSION', 'AFP empleado'],
  },
  solidarity: {
    labels: ['Fondo de solidaridad', 'F.S.P.', 'FDO. SOLID.'],
    say: 'fondo de solidaridad',
    words: ['FONDO DE SOLIDARIDAD', 'FSP'],
  },
  withholding: {
    labels: ['Retención en la fuente', 'RETE FTE', 'Retefuente'],
    say: 'retención en la fuente',
    words: ['RETENCION EN LA FUENTE', 'Retefuente'],
  },
  cooperative: {
    labels: ['Cooperativa', 'COOP.', 'Aporte cooperativa'],
    say: 'cooperativa',
    words: ['COOPERATIVA', 'Aporte coop.'],
  },
};

const HOURS: Readonly<
  Record<
    Overtime,
    { readonly short: readonly string[]; readonly say: string; readonly words: readonly string[] }
  >
> = {
  dayHours: {
    short: ['HED', 'Extras diurnas'],
    say: 'HED',
    words: ['HORAS EXTRAS DIURNAS', 'H. EXTRA DIURNA'],
  },
  nightHours: {
    short: ['HEN', 'Extras nocturnas'],
    say: 'HEN',
    words: ['HORAS EXTRAS NOCTURNAS', 'H. EXTRA NOCTURNA'],
  },
  nightSurcharge: {
    short: ['RN', 'Recargo nocturno'],
    say: 'RN',
    words: ['RECARGO NOCTURNO', 'Rec. nocturno'],
  },
};
const HOUR_LABELS = ['horas', 'cant.', '#'];
const VALUE_LABELS = ['valor', '$', 'vr.'];

const ABSENCES = {
  vacation: {
    labels: ['Vacaciones', 'VAC.'],
    say: 'vacaciones',
    words: ['VACACIONES DISFRUTADAS', 'Vacaciones'],
  },
  disability: {
    labels: ['Incapacidad', 'INCAP.'],
    say: 'incapacidad',
    words: ['INCAPACIDAD ENF. GENERAL', 'Incapacidad EGM'],
  },
} as const;

/** Returns the name of a worker in the way of a file: four parts, surnames and names, or whole. */
function nameColumns(chance: Chance, known: Known): readonly Labelled[] {
  const { pick } = chance;
  const { surname, second, first, middle } = COLUMNS;
  const surnames = (one: Worker): string => `${one.surname} ${one.second}`;
  const names = (one: Worker): string =>
    one.middle === undefined ? one.first : `${one.first} ${one.middle}`;
  const form = chance.below(3);
  if (form === 0) return [surname, second, first, middle].map((one) => labelled<Worker>(one, chance));
  if (form === 1) {
    const isFirst = chance.below(2) === 0;
    known.others['name_order'] = isFirst ? 'los apellidos' : 'los nombres';
    return [
      {
        label: pick([
          'Nombre completo',
          'Empleado',
          'NOMBRE DEL TRABAJADOR',
          ...(isFirst ? ['Apellidos y nombres'] : []),
        ]),
        say: 'nombre completo',
        value: (one) => (isFirst ? `${surnames(one)} ${names(one)}` : `${names(one)} ${surnames(one)}`),
      },
    ];
  }
  return [
    { label: 'Apellidos', say: 'apellidos', value: surnames },
    { label: 'Nombres', say: 'nombres', value: names },
  ];
}

/** Returns the place of work: its code, its name with the department, or both halves of the code. */
function townColumns(chance: Chance, form = chance.below(3)): readonly Labelled[] {
  const { town, townCode, department } = COLUMNS;
  if (form === 0) return [labelled<Worker>(townCode, chance)];
  if (form === 1) return [labelled<Worker>(department, chance), labelled<Worker>(town, chance)];
  return [
    {
      label: chance.pick(['Departamento', 'Dpto']),
      say: 'departamento',
      value: (one) => one.town.code.slice(0, 2),
    },
    { label: chance.pick(['Municipio', 'Mpio']), say: 'municipio', value: (one) => one.town.code.slice(2) },
  ];
}

/** Returns the columns of a person, without what tells the person from others. */
const personColumns = (chance: Chance, known: Known, town?: number): readonly Labelled[] => [
  ...(
    ['kind', 'admitted', 'contract', 'address', 'method', 'bank', 'accountKind', 'account', 'base'] as const
  ).map((name) => labelled<Worker>(COLUMNS[name], chance)),
  ...nameColumns(chance, known),
  ...townColumns(chance, town),
];

/** Returns the columns of amounts; those that nobody has are left out. */
function amountColumns(chance: Chance, workers: readonly Worker[], known: Known): readonly Labelled[] {
  const { pick } = chance;
  const has = (of: (worker: Worker) => unknown): boolean =>
    workers.some((worker) => of(worker) !== undefined);
  const amounts = (of: readonly Amount[]): Labelled[] =>
    of
      .filter((one) => has(({ amounts: own }) => own[one]))
      .map((one) => ({
        label: pick(AMOUNTS[one].labels),
        say: AMOUNTS[one].say,
        value: ({ amounts: own }) => own[one] ?? null,
      }));
  const [hour, value] = [pick(HOUR_LABELS), pick(VALUE_LABELS)];
  const hours = OVERTIME.filter((one) => has(({ hours: own }) => own[one])).flatMap((one): Labelled[] => {
    const { short, say } = HOURS[one];
    const name = pick(short);
    return [
      { label: `${name} ${hour}`, say: `${say} horas`, value: ({ hours: own }) => own[one]?.hours ?? null },
      { label: `${name} ${value}`, say: `${say} valor`, value: ({ hours: own }) => own[one]?.value ?? null },
    ];
  });
  const absences = (['vacation', 'disability'] as const)
    .filter((kind) => workers.some(({ absence }) => absence?.kind === kind))
    .flatMap((kind): Labelled[] => {
      const { labels, say } = ABSENCES[kind];
      const name = pick(labels);
      const of =
        (get: (absence: NonNullable<Worker['absence']>) => Value) =>
        (one: Worker): Value =>
          one.absence?.kind === kind ? get(one.absence) : null;
      return [
        { label: `${name} desde`, say: `${say} desde`, value: of(({ start }) => dateOf(start)) },
        { label: `${name} hasta`, say: `${say} hasta`, value: of(({ end }) => dateOf(end)) },
        { label: `${name} días`, say: `${say} días`, value: of(({ days }) => days) },
        { label: `${name} ${value}`, say: `${say} valor`, value: of((absence) => absence.value) },
      ];
    });
  const loans: Labelled[] = has(({ loan }) => loan)
    ? [
        { label: 'Libranza entidad', say: 'libranza entidad', value: ({ loan }) => loan?.lender ?? null },
        { label: 'Libranza valor', say: 'libranza valor', value: ({ loan }) => loan?.value ?? null },
      ]
    : [];
  const totals: Labelled[] = [
    {
      label: pick(['Total devengado', 'TOTAL DEVENGOS']),
      say: 'total devengado',
      value: (one) => totalsOf(one).earned,
    },
    {
      label: pick(['Total deducciones', 'TOTAL DESCUENTOS']),
      say: 'total deducciones',
      value: (one) => totalsOf(one).deducted,
    },
    {
      label: pick(['Neto a pagar', 'NETO']),
      say: 'neto a pagar',
      value: (one) => totalsOf(one).earned - totalsOf(one).deducted,
    },
  ];
  known.hasTotals = chance.below(3) > 0;
  return [
    labelled<Worker>(COLUMNS.days, chance),
    ...amounts(EARNINGS),
    ...hours,
    ...absences,
    ...amounts(DEDUCTIONS),
    ...loans,
    ...(known.hasTotals ? totals : []),
  ];
}

const TITLES: readonly (readonly Value[])[] = [['EMPRESA MODELO S.A.S.'], ['NÓMINA DE OCTUBRE DE 2026'], []];

const above = ({ below }: Chance): readonly (readonly Value[])[] => (below(2) === 0 ? TITLES : []);

function totalRow({ labels, rows }: Grid): readonly Value[] {
  const isSummed = (label: string): boolean =>
    /valor|\$|vr\.|total|neto|salud|pensi|salari|sueldo|aux/i.test(label) &&
    !/cuenta|base|mensual/i.test(label);
  return labels.map((label, at) => {
    if (at === 0) return 'TOTAL';
    const amounts = rows.map((row) => row[at]).filter((value) => typeof value === 'number');
    return isSummed(label) && amounts.length > 0 ? amounts.reduce((sum, value) => sum + value, 0) : null;
  });
}

const others = (chance: Chance): readonly Labelled[] =>
  OTHERS.filter(() => chance.below(3) === 0).map((column) => labelled(column, chance));

/** Makes the files of a kind of delivery, and notes what a person knows about them. */
type Shape = (chance: Chance, workers: readonly Worker[], known: Known) => Promise<readonly string[]>;

const idColumns = (chance: Chance, by: 'document' | 'code'): readonly Labelled[] => [
  labelled<Worker>(COLUMNS[by], chance),
];

/** One sheet with all of it. */
const oneSheet: Shape = async (chance, workers, known) => {
  const all = [...idColumns(chance, 'document'), ...personColumns(chance, known), ...others(chance)];
  const grid = gridOf(
    'Nómina',
    [...shuffled(all, chance), ...amountColumns(chance, workers, known)],
    workers,
    known,
  );
  return [await workbook([page(grid, above(chance), chance.below(2) === 0 ? [totalRow(grid)] : [])])];
};

/** People in a second sheet, in another order; both have the document, or only theirs has. */
const twoSheets =
  (by: 'document' | 'code', isTwoFiles = false): Shape =>
  async (chance, workers, known) => {
    const isNamed = chance.below(2) === 0;
    const id = labelled<Worker>(COLUMNS[by], chance);
    const idOfPeople = chance.below(2) === 0 ? id : labelled<Worker>(COLUMNS[by], chance);
    const own = by === 'document' ? [] : [labelled<Worker>(COLUMNS.document, chance)];
    const shown: Labelled = {
      label: 'Trabajador',
      say: undefined,
      value: ({ first, surname }) => `${first} ${surname}`,
    };
    const people = gridOf(
      'PERSONAL',
      shuffled([idOfPeople, ...own, ...personColumns(chance, known), ...others(chance)], chance),
      shuffled(workers, chance),
      known,
    );
    const amounts = gridOf(
      'NOMINA',
      [id, ...(isNamed ? [shown] : []), ...amountColumns(chance, workers, known)],
      workers,
      known,
    );
    known.sheets['PERSONAL'] = 'trabajadores';
    known.others['home.'] = 'PERSONAL';
    known.others['join.'] = `${idOfPeople.label} = ${id.label}`;
    const pages = [page(amounts, above(chance)), page(people)];
    return isTwoFiles
      ? [await workbook([pages[0]!]), await workbook([pages[1]!])]
      : [await workbook(shuffled(pages, chance))];
  };

/** A line of a list of concepts. */
interface Line {
  readonly worker: Worker;
  readonly word: string;
  readonly quantity: number | null;
  readonly value: number;
  readonly isDeduction: boolean;
  readonly start: string | null;
  readonly end: string | null;
}

function linesOf(workers: readonly Worker[], chance: Chance, known: Known): readonly Line[] {
  const { pick } = chance;
  const word = (of: { readonly words: readonly string[] }): string => pick(of.words);
  const words = new Map(
    [...EARNINGS, ...DEDUCTIONS].map((one) => {
      const text = word(AMOUNTS[one]);
      known.words[text] = AMOUNTS[one].say;
      return [one, text] as const;
    }),
  );
  const hours = new Map(
    OVERTIME.map((one) => {
      const text = word(HOURS[one]);
      known.words[text] = {
        dayHours: 'hora extra diurna',
        nightHours: 'hora extra nocturna',
        nightSurcharge: 'recargo nocturno',
      }[one];
      return [one, text] as const;
    }),
  );
  const absences = { vacation: word(ABSENCES.vacation), disability: word(ABSENCES.disability) };
  known.words[absences.vacation] = 'vacaciones';
  known.words[absences.disability] = 'incapacidad común';
  known.loanName = pick(['LIBRANZA', 'Préstamo empresa']);
  known.words[known.loanName] = 'libranza';
  return workers.flatMap((worker): Line[] => {
    const { amounts, loan, absence } = worker;
    const line = (
      of: string,
      value: number | undefined,
      quantity: number | null,
      isDeduction: boolean,
    ): Line[] =>
      value === undefined ? [] : [{ worker, word: of, quantity, value, isDeduction, start: null, end: null }];
    return [
      ...EARNINGS.flatMap((one) =>
        line(words.get(one)!, amounts[one], one === 'salary' ? worker.days : null, false),
      ),
      ...OVERTIME.flatMap((one) =>
        line(hours.get(one)!, worker.hours[one]?.value, worker.hours[one]?.hours ?? null, false),
      ),
      ...(absence === undefined
        ? []
        : line(absences[absence.kind], absence.value, absence.days, false).map((one) => ({
            ...one,
            start: absence.start,
            end: absence.end,
          }))),
      ...DEDUCTIONS.flatMap((one) => line(words.get(one)!, amounts[one], null, true)),
      ...line(known.loanName!, loan?.value, null, true),
    ];
  });
}

type AmountForm = 'nature' | 'sign' | 'columns';

/** Returns how a list tells earnings from deductions: by a word, by the sign, or by the column. */
function amountsOfLines(form: AmountForm): readonly Column<Line>[] {
  if (form === 'columns')
    return [
      {
        labels: ['Devengado', 'DEVENGOS'],
        say: 'devengado',
        value: ({ isDeduction, value }) => (isDeduction ? null : value),
      },
      {
        labels: ['Deducido', 'DEDUCCIONES'],
        say: 'deducido',
        value: ({ isDeduction, value }) => (isDeduction ? value : null),
      },
    ];
  const isSigned = form === 'sign';
  const amount: Column<Line> = {
    labels: ['Valor', 'IMPORTE', 'Vr. pagado'],
    say: 'valor',
    value: ({ isDeduction, value }) => (isSigned && isDeduction ? -value : value),
  };
  const nature: Column<Line> = {
    labels: ['Naturaleza', 'NAT', 'D/D'],
    say: 'naturaleza',
    value: ({ isDeduction }) => (isDeduction ? 'DED' : 'DEV'),
  };
  return isSigned ? [amount] : [amount, nature];
}

/** Columns of a list of concepts besides whose they are, and what a person knows of such a list. */
function lineColumns({ pick }: Chance, known: Known): readonly Column<Line>[] {
  const form = pick<AmountForm>(['nature', 'sign', 'columns']);
  if (form === 'sign') known.others['deduction_sign'] = 'sí';
  known.others['record_dates'] = 'no';
  return [
    { labels: ['Concepto', 'DESCRIPCION CONCEPTO', 'Rubro'], say: 'concepto', value: ({ word }) => word },
    { labels: ['Cantidad', 'CANT.', 'Unidades'], say: 'cantidad', value: ({ quantity }) => quantity },
    ...amountsOfLines(form),
    {
      labels: ['Fecha inicial', 'NOV DESDE', 'Fe.inicio'],
      say: 'novedad desde',
      value: ({ start }) => (start === null ? null : dateOf(start)),
    },
    {
      labels: ['Fecha final', 'NOV HASTA', 'Fe.final'],
      say: 'novedad hasta',
      value: ({ end }) => (end === null ? null : dateOf(end)),
    },
  ];
}

/** A row for each concept of a worker, and people in a second sheet. */
const list =
  (by: 'document' | 'code'): Shape =>
  async (chance, workers, known) => {
    const { pick } = chance;
    const id = labelled<Worker>(COLUMNS[by], chance);
    const own = by === 'document' ? [] : [labelled<Worker>(COLUMNS.document, chance)];
    const people = gridOf(
      'DATOS',
      [id, ...shuffled([...own, ...personColumns(chance, known)], chance)],
      shuffled(workers, chance),
      known,
    );
    const name = 'CONCEPTOS';
    const columns: readonly Column<Line>[] = [
      { labels: [id.label], say: id.say, value: ({ worker }) => id.value(worker) },
      ...lineColumns(chance, known),
    ];
    const labels = columns.map(({ labels: names }) => pick(names));
    for (const [at, { say }] of columns.entries())
      if (say !== undefined) known.columns[`${name}!${labels[at]}`] = say;
    const lines = linesOf(workers, chance, known);
    const grid: Grid = { name, labels, rows: lines.map((line) => columns.map(({ value }) => value(line))) };
    known.sheets['DATOS'] = 'trabajadores';
    known.others['join.'] = `${id.label} = ${id.label}`;
    known.sheets[name] = 'conceptos';
    return [await workbook([page(grid, above(chance)), page(people)])];
  };

/** How a report says whose the concepts below are. */
const OWNER_ROWS: readonly ((document: number, name: string, kind: string) => readonly Value[])[] = [
  (document, name) => [`${document} - ${name}`],
  (document, name) => [document, name],
  (document, name) => [`Empleado: ${document} ${name}`],
  (document, name) => ['Empleado:', name, null, 'Cédula:', document],
  (document, name) => [`Cédula: ${document}`, `Nombre: ${name}`],
  (document, name) => ['Nombre', name, null, 'CC', document],
  (document, name, kind) => [`${kind} ${document} ${name}`],
];

function fullName({ surname, second, first, middle }: Worker, isSurnameFirst: boolean): string {
  const [surnames, names] = [[surname, second], middle === undefined ? [first] : [first, middle]];
  return (isSurnameFirst ? [...surnames, ...names] : [...names, ...surnames]).join(' ');
}

/** Concepts below a row for each worker, as payslips are: below each other, or a sheet for each. */
const blocks: Shape = async (chance, workers, known) => {
  const { pick, below } = chance;
  const id = labelled<Worker>(COLUMNS.document, chance);
  const people = gridOf('DATOS', [id, ...shuffled(personColumns(chance, known), chance)], workers, known);
  const isFirst = known.others['name_order'] !== 'los nombres';
  known.others['name_order'] = isFirst ? 'los apellidos' : 'los nombres';
  known.sheets['DATOS'] = 'trabajadores';
  const columns = lineColumns(chance, known);
  const labels = columns.map(({ labels: names }) => pick(names));
  const lines = linesOf(workers, chance, known);
  const owner = pick(OWNER_ROWS);
  const [isSheetEach, isTitledEach, hasTotals, hasHead] = [
    below(3) === 0,
    below(2) === 0,
    below(2) === 0,
    below(2) === 0,
  ];
  const blockOf = (worker: Worker): Value[][] => [
    ...(hasHead ? [['ALFA S.A.S.'], ['COMPROBANTE DE NÓMINA']] : []),
    [...owner(worker.document, fullName(worker, isFirst), SHORT_KINDS[worker.kind])],
    ...(hasHead ? [['Cargo:', `Cargo ${worker.code}`]] : []),
    ...(isTitledEach || isSheetEach ? [[...labels]] : []),
    ...lines.filter((line) => line.worker === worker).map((line) => columns.map(({ value }) => value(line))),
    ...(hasTotals ? [['TOTAL']] : []),
    [],
  ];
  const name = (worker: Worker): string => (isSheetEach ? `${worker.surname} ${worker.code}` : 'CONCEPTOS');
  const pages = isSheetEach
    ? workers.map((worker) => ({ name: name(worker), rows: blockOf(worker) }))
    : [{ name: 'CONCEPTOS', rows: [...(isTitledEach ? [] : [labels]), ...workers.flatMap(blockOf)] }];
  const told: readonly (readonly [string, string | undefined])[] = [
    ...columns.map(({ say }, at) => [labels[at]!, say] as const),
    ['Código o documento', 'número documento'],
    ['Código o documento: Empleado', 'número documento'],
    ['Cédula', 'número documento'],
    ['CC', 'número documento'],
  ];
  for (const page of pages) {
    known.sheets[page.name] = 'conceptos';
    for (const [label, say] of told) if (say !== undefined) known.columns[`${page.name}!${label}`] = say;
  }
  known.others['lines.sheet'] = 'todas';
  known.others['home.'] = 'DATOS';
  return [await workbook([...pages, page(people)])];
};

/** Novelties in sheets of their own, a row an event. */
const sheetsOfNovelties: Shape = async (chance, workers, known) => {
  const { pick } = chance;
  const id = labelled<Worker>(COLUMNS.document, chance);
  const plain = workers.map(
    (worker): Worker => ({ ...worker, hours: {}, absence: undefined, loan: undefined }),
  );
  known.hasTotals = false;
  const main = gridOf(
    'EMPLEADOS',
    [
      id,
      ...personColumns(chance, known),
      ...amountColumns(chance, plain, known).filter(({ say }) => !/^(total|neto)/.test(say ?? '')),
    ],
    plain,
    known,
  );
  known.sheets['EMPLEADOS'] = 'empleados';
  const sheet = (
    name: string,
    meaning: string,
    rows: readonly { readonly worker: Worker; readonly cells: readonly Value[] }[],
    labels: readonly (readonly [label: string, say: string])[],
  ): Grid[] => {
    if (rows.length === 0) return [];
    known.sheets[name] = meaning;
    known.columns[`${name}!${id.label}`] = id.say!;
    for (const [label, say] of labels) known.columns[`${name}!${label}`] = say;
    return [
      {
        name,
        labels: [id.label, ...labels.map(([label]) => label)],
        rows: rows.map(({ worker, cells }) => [id.value(worker), ...cells]),
      },
    ];
  };
  const overtime = OVERTIME.flatMap((one) =>
    sheet(
      {
        dayHours: pick(['HE DIURNAS', 'Extras diurnas']),
        nightHours: pick(['HE NOCTURNAS', 'Extras nocturnas']),
        nightSurcharge: 'Recargo nocturno',
      }[one],
      {
        dayHours: 'horas extras diurnas',
        nightHours: 'horas extras nocturnas',
        nightSurcharge: 'recargos nocturnos',
      }[one],
      workers.flatMap((worker) => {
        const found = worker.hours[one];
        return found === undefined ? [] : [{ worker, cells: [found.hours, found.value] }];
      }),
      [
        [pick(['Horas', 'Cantidad']), 'cantidad'],
        [pick(['Valor', 'Vr. pagado']), 'valor'],
      ],
    ),
  );
  const absences = (['vacation', 'disability'] as const).flatMap((kind) =>
    sheet(
      { vacation: pick(['VACACIONES', 'Vacaciones oct']), disability: pick(['INCAPACIDADES', 'INCAP.']) }[
        kind
      ],
      { vacation: 'vacaciones', disability: 'incapacidades' }[kind],
      workers.flatMap((worker) => {
        const { absence } = worker;
        return absence?.kind === kind
          ? [{ worker, cells: [dateOf(absence.start), dateOf(absence.end), absence.days, absence.value] }]
          : [];
      }),
      [
        [pick(['Desde', 'Fecha inicial']), 'inicio'],
        [pick(['Hasta', 'Fecha final']), 'fin'],
        ['Días', 'cantidad'],
        [pick(['Valor', 'Vr. pagado']), 'valor'],
      ],
    ),
  );
  const loans = sheet(
    pick(['LIBRANZAS', 'Préstamos']),
    'libranzas',
    workers.flatMap((worker) =>
      worker.loan === undefined ? [] : [{ worker, cells: [worker.loan.lender, worker.loan.value] }],
    ),
    [
      ['Entidad', 'descripción'],
      [pick(['Valor', 'Cuota']), 'valor'],
    ],
  );
  return [
    await workbook([
      page(main, above(chance)),
      ...[...overtime, ...absences, ...loans].map((grid) => page(grid)),
    ]),
  ];
};

/** A half of what a worker has, in whole pesos and days; what is not divided is in the first. */
function partOf(worker: Worker, at: number, parts: number): Worker {
  const divide = (amount: number): number => {
    const each = Math.floor(amount / parts);
    return at === parts - 1 ? amount - each * (parts - 1) : each;
  };
  const isFirst = at === 0;
  return {
    ...worker,
    days: divide(worker.days),
    amounts: Object.fromEntries(
      Object.entries(worker.amounts).flatMap(([name, amount]) =>
        divide(amount) === 0 ? [] : [[name, divide(amount)]],
      ),
    ),
    hours: isFirst ? worker.hours : {},
    loan: isFirst ? worker.loan : undefined,
    absence: isFirst ? worker.absence : undefined,
  };
}

/** A row for each fortnight or week of a worker. */
const rowsOfParts: Shape = async (chance, workers, known) => {
  const parts = chance.pick([2, 4]);
  const people = [...idColumns(chance, 'document'), ...personColumns(chance, known)];
  const period = parts === 2 ? 'Quincena' : 'Semana';
  const amounts = amountColumns(chance, workers, known);
  const columns = [...people, ...amounts];
  for (const { label, say } of columns) if (say !== undefined) known.columns[`NOMINA!${label}`] = say;
  known.others['one_per'] = 'sí';
  const rows = workers.flatMap((worker) =>
    Array.from({ length: parts }, (_, at) => [
      at + 1,
      ...columns.map(({ value }) => value(partOf(worker, at, parts))),
    ]),
  );
  return [
    await workbook([page({ name: 'NOMINA', labels: [period, ...columns.map(({ label }) => label)], rows })]),
  ];
};

/** The amounts of two fortnights side by side. */
const sideBySide: Shape = async (chance, workers, known) => {
  const people = [...idColumns(chance, 'document'), ...personColumns(chance, known)];
  const all = amountColumns(chance, workers, known);
  const isTotal = ({ say }: Labelled): boolean => /^(total|neto)/.test(say ?? '');
  const mark = chance.pick([
    (at: number) => ` Q${at}`,
    (at: number) => ` ${at}a Q`,
    (at: number) => ` ${at}a quincena`,
  ]);
  const halves = [1, 2].flatMap((at) =>
    all
      .filter((one) => !isTotal(one))
      .map(
        (one): Labelled => ({
          ...one,
          label: `${one.label}${mark(at)}`,
          value: (worker) => one.value(partOf(worker, at - 1, 2)),
        }),
      ),
  );
  return [
    await workbook([
      page(
        gridOf('Liquidación', [...people, ...halves, ...all.filter(isTotal)], workers, known),
        above(chance),
      ),
    ]),
  ];
};

/** Headings of areas between the workers, with a subtotal below each. */
const sections: Shape = async (chance, workers, known) => {
  const columns = [
    ...idColumns(chance, 'document'),
    ...personColumns(chance, known),
    ...amountColumns(chance, workers, known),
  ];
  const grid = gridOf('NÓMINA', columns, workers, known);
  const hasSubtotals = chance.below(2) === 0;
  const rows = AREAS.flatMap((area) => {
    const own = workers
      .filter((worker) => areaOf(worker) === area)
      .map((worker) => columns.map(({ value }) => value(worker)));
    if (own.length === 0) return [];
    const [, ...sums] = totalRow({ ...grid, rows: own });
    return [[area], ...own, ...(hasSubtotals ? [[`SUBTOTAL ${area}`, ...sums]] : [])];
  });
  const [, ...sums] = totalRow(grid);
  return [
    await workbook([{ name: 'NÓMINA', rows: [...above(chance), grid.labels, ...rows, ['TOTAL', ...sums]] }]),
  ];
};

/** A sheet for each branch, with one header. */
const branches: Shape = async (chance, workers, known) => {
  const columns = [
    ...idColumns(chance, 'document'),
    ...personColumns(chance, known),
    ...amountColumns(chance, workers, known),
  ];
  const half = Math.ceil(workers.length / 2);
  known.others['workers.sheet'] = 'todas';
  const pages: Page[] = [workers.slice(0, half), workers.slice(half)].map((own, at) =>
    page(gridOf(['SEDE NORTE', 'SEDE SUR'][at]!, columns, own, known), above(chance)),
  );
  return [await workbook(pages)];
};

const COMPANIES = [
  ['ALFA S.A.S.', '900111222'],
  ['BETA LTDA.', '900333444'],
] as const;

/** Workers of two companies: in a sheet each, with its NIT above, or in one with a column of it. */
const companies: Shape = async (chance, workers, known) => {
  const isColumn = chance.below(2) === 0;
  const columns = [
    ...idColumns(chance, 'document'),
    ...personColumns(chance, known),
    ...amountColumns(chance, workers, known),
  ];
  const half = Math.ceil(workers.length / 2);
  if (isColumn) {
    const employer: Labelled = {
      label: chance.pick(['NIT empresa', 'NIT EMPLEADOR', 'Nit de la empresa']),
      say: undefined,
      value: (worker) => COMPANIES[workers.indexOf(worker) < half ? 0 : 1][1],
    };
    return [
      await workbook([page(gridOf('Nómina', shuffled([...columns, employer], chance), workers, known))]),
    ];
  }
  known.others['workers.sheet'] = 'todas';
  const pages = COMPANIES.map(([name, nit], at) =>
    page(gridOf(name, columns, at === 0 ? workers.slice(0, half) : workers.slice(half), known), [
      [name],
      [`NIT ${nit}`],
      [],
    ]),
  );
  return [await workbook(pages)];
};

/** Halves of the municipality, side by side or far from each other. */
const halvesOfCodes: Shape = async (chance, workers, known) => {
  const all = [...idColumns(chance, 'document'), ...personColumns(chance, known, 2), ...others(chance)];
  return [
    await workbook([
      page(
        gridOf(
          'Nómina',
          [...shuffled(all, chance), ...amountColumns(chance, workers, known)],
          workers,
          known,
        ),
      ),
    ]),
  ];
};

const SEVERAL = 'several companies';

const SHAPES: Readonly<Record<string, Shape>> = {
  'other names in another order': oneSheet,
  'people in a second sheet': twoSheets('document'),
  'people under a code': twoSheets('code'),
  'people in a second file': twoSheets('document', true),
  'a list of concepts': list('document'),
  'a list under a code': list('code'),
  'concepts below each worker': blocks,
  'a sheet for each novelty': sheetsOfNovelties,
  'rows of fortnights or weeks': rowsOfParts,
  'fortnights side by side': sideBySide,
  'areas with subtotals': sections,
  'a sheet for each branch': branches,
  'halves of codes': halvesOfCodes,
  [SEVERAL]: companies,
};

export const PAYROLL_KINDS = Object.keys(SHAPES);

interface Body {
  readonly worker: { readonly identification_number: unknown };
}

export async function payrollScene(kind: string, chance: Chance): Promise<Scene> {
  const workers = workersOf(chance);
  const known: Known = { columns: {}, words: {}, sheets: {}, others: {} };
  const files = await SHAPES[kind]!(chance, workers, known);
  return {
    files,
    known,
    params: PARAMS,
    isStopped: kind === SEVERAL,
    keyOf: (body) => String((body as Body).worker.identification_number),
    comparable: (body) => body,
    documents: new Map(
      workers.map((worker) => [String(worker.document), documentOf(worker, known.loanName)]),
    ),
  };
}
