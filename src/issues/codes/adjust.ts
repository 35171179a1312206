import type { CodeEntry, Text } from '../codes.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });
const warning = (title: Text, message: Text, fix: Text): CodeEntry => ({
  ...error(title, message, fix),
  level: 'warning',
});

const RESUME_FIRST: Text = {
  es: 'Termínela primero con `cargue resume {run}`; después vuelva a intentar.',
  en: 'Finish it first with `cargue resume {run}`; then try again.',
};
const LOOK_AT_MONTH: Text = {
  es: 'Confirme que el cambio es de verdad; si no, corrija la celda.',
  en: 'Make sure that the change is real; if not, correct the cell.',
};

const PREDECESSOR = { es: 'Documento anterior de la nota', en: 'Document that the note corrects' };
const MONTH = { es: 'El mes del trabajador ya está ocupado', en: "The worker's month is taken" };

/** What the journal has to say of payrolls, adjust notes and months. */
export const ADJUST_CODES = {
  'payroll/note-predecessor': error(
    PREDECESSOR,
    {
      es: 'El documento que la nota corrige no concuerda con el diario: {number}.',
      en: 'The document that the note corrects does not agree with the journal: {number}.',
    },
    {
      es: 'Revise número, CUNE y fecha del documento por corregir.',
      en: 'Check number, CUNE and date of the document to correct.',
    },
  ),
  'payroll/new-worker': warning(
    { es: 'Persona nueva frente al mes anterior', en: 'New person compared with the month before' },
    {
      es: '{value} no tiene nómina aceptada en {month}.',
      en: '{value} has no accepted payroll in {month}.',
    },
    {
      es: 'Confirme que es un ingreso y no un número de documento mal escrito.',
      en: 'Make sure that it is someone new and not a mistyped document number.',
    },
  ),
  'payroll/missing-worker': warning(
    { es: 'Persona que falta frente al mes anterior', en: 'Person missing compared with the month before' },
    {
      es: '{value} tiene nómina aceptada en {month} y no está en este archivo.',
      en: '{value} has an accepted payroll in {month} and is not in this file.',
    },
    {
      es: 'Confirme el retiro, o agregue a la persona.',
      en: 'Make sure that the person left, or add the person.',
    },
  ),
  'payroll/salary-changed': warning(
    {
      es: 'Sueldo distinto al del mes anterior',
      en: 'Base salary differs from the month before',
    },
    {
      es: 'El sueldo base {value} no es el de {month}.',
      en: 'The base salary {value} is not that of {month}.',
    },
    LOOK_AT_MONTH,
  ),
  'payroll/account-changed': warning(
    {
      es: 'Cuenta distinta a la del mes anterior',
      en: 'Bank account differs from the month before',
    },
    {
      es: 'La cuenta bancaria {value} no es la de {month}.',
      en: 'The bank account {value} is not that of {month}.',
    },
    LOOK_AT_MONTH,
  ),
  'send/predecessor-missing': error(
    { es: 'La DIAN aún no encuentra el documento anterior', en: 'DIAN does not find the predecessor yet' },
    {
      es: 'Se intentó {tries} veces y la DIAN no encuentra el documento que la nota corrige.',
      en: 'It was tried {tries} times, and DIAN does not find the document that the note corrects.',
    },
    {
      es: 'Espere a que la DIAN lo muestre y haga la nota otra vez; si cambió el documento de la persona, elimine y envíe una nómina nueva.',
      en: "Wait until DIAN shows it and make the note again; if the person's document changed, delete and send a new payroll.",
    },
  ),
  'send/predecessor-not-accepted': error(
    { es: 'No se envió: depende de otro', en: 'Not sent: it depends on another' },
    {
      es: 'Solo podía salir después de {number}, que no fue aceptado; no se envió.',
      en: 'It could only leave after {number}, which was not accepted; it was not sent.',
    },
    {
      es: 'Corrija lo que impidió aceptar {number} y use `cargue adjust` otra vez.',
      en: 'Correct what kept {number} from being accepted, then run `cargue adjust` again.',
    },
  ),
  'run/not-adjustable': error(
    { es: 'No se ajusta', en: 'Not adjustable' },
    {
      es: 'Solo se ajustan nóminas; el mapeo hace {value}.',
      en: 'Only payrolls are adjusted; the mapping makes {value}.',
    },
    {
      es: 'Use un mapeo de nómina o de notas, como payroll/wide o payroll/adjust.',
      en: 'Use a mapping of payrolls or of notes, such as payroll/wide or payroll/adjust.',
    },
  ),
  'run/needs-note-prefix': error(
    { es: 'Falta el prefijo de las notas', en: 'No prefix for the notes' },
    {
      es: 'Las notas de ajuste llevan un prefijo propio y no se dijo cuál.',
      en: 'Adjust notes have a prefix of their own, and none was given.',
    },
    { es: 'Agregue -p note_prefix=NA (el suyo).', en: 'Add -p note_prefix=NA (yours).' },
  ),
} satisfies Record<string, CodeEntry>;

export type AdjustCode = keyof typeof ADJUST_CODES;

const asNote = (title: Text, message: Text, fix: Text = ADJUST_CODES['payroll/note-predecessor'].fix) =>
  error(title, message, fix);

/** Wording of codes that say several things: by the param `case` of the issue. */
export const CASES = {
  /** The same rule as in a file (schemas/rules), kept over the journal. */
  'payroll/worker-month': {
    accepted: error(
      MONTH,
      {
        es: '{value} ya tiene un documento aceptado de este mes, con otros datos: {number}, CUNE {cune}, emitido el {date}.',
        en: '{value} already has an accepted document of this month, with other data: {number}, CUNE {cune}, issued on {date}.',
      },
      {
        es: 'Lo aceptado se corrige con `cargue adjust`; una segunda nómina del mes solo va como novedad.',
        en: 'What was accepted is corrected by `cargue adjust`; a second payroll of a month only goes as a novelty.',
      },
    ),
    pending: error(
      MONTH,
      {
        es: '{value} tiene un documento de este mes sin veredicto aún: {number}, CUNE {cune}, emitido el {date}.',
        en: '{value} has a document of this month that waits for its verdict: {number}, CUNE {cune}, issued on {date}.',
      },
      RESUME_FIRST,
    ),
    unknown: error(
      MONTH,
      {
        es: '{value} tiene un documento de este mes que pudo haber llegado: {number}, CUNE {cune}, emitido el {date}.',
        en: '{value} has a document of this month that may have landed: {number}, CUNE {cune}, issued on {date}.',
      },
      RESUME_FIRST,
    ),
  },
  'payroll/note-predecessor': {
    'not-accepted': asNote(PREDECESSOR, {
      es: 'El diario sabe que {number} no fue aceptado: no hay qué corregir.',
      en: 'The journal knows that {number} was not accepted: there is nothing to correct.',
    }),
    open: asNote(
      PREDECESSOR,
      {
        es: '{number} aún no tiene veredicto en el diario.',
        en: '{number} has no verdict in the journal yet.',
      },
      RESUME_FIRST,
    ),
    deleted: asNote(PREDECESSOR, {
      es: '{number} ya fue eliminado: no se puede ajustar más.',
      en: '{number} was deleted: nothing more can be adjusted.',
    }),
    'a-deletion': asNote(PREDECESSOR, {
      es: '{number} es una eliminación: no se puede ajustar.',
      en: '{number} is itself a deletion: it cannot be adjusted.',
    }),
    'other-worker': asNote(
      PREDECESSOR,
      {
        es: '{number} es de otra persona o de otro mes.',
        en: '{number} is of another person or another month.',
      },
      {
        es: 'Revise el documento por corregir. Si cambió el número de documento de la persona, elimine y envíe una nómina nueva.',
        en: "Check the document to correct. If the person's document number changed, delete and send a new payroll.",
      },
    ),
    differs: asNote(PREDECESSOR, {
      es: '«{value}» no es lo que el diario tiene de {number}: {known}.',
      en: '"{value}" is not what the journal has of {number}: {known}.',
    }),
    replaced: {
      ...asNote(
        PREDECESSOR,
        {
          es: '{number} ya fue reemplazado; el último aceptado es {latest}.',
          en: '{number} was replaced already; the latest accepted one is {latest}.',
        },
        { es: 'Corrija el último, {latest}.', en: 'Correct the latest one, {latest}.' },
      ),
      level: 'warning',
    },
    'not-known': {
      ...asNote(
        PREDECESSOR,
        {
          es: 'El diario no conoce el documento que la nota corrige.',
          en: 'The journal does not know the document that the note corrects.',
        },
        {
          es: 'Confirme número, CUNE y fecha en el portal de la DIAN.',
          en: 'Confirm number, CUNE and date in the DIAN portal.',
        },
      ),
      level: 'warning',
    },
  },
} satisfies Record<string, Record<string, CodeEntry>>;
