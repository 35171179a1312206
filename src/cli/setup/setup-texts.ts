import type { Text } from '../../issues/codes.js';

/** What `setup` says to people. */
export const SETUP_TEXTS = {
  introSoftware: {
    es: `Esto registra en el servicio el software de nómina que la empresa creó en el portal de la DIAN.
Se necesita el id del software y su PIN de cinco cifras; el identificador del set de pruebas es otra cosa.
El servicio guarda también a qué dirección de la DIAN envía. Cada llamada reemplaza las dos, la de nómina y la de
facturación; por eso aquí se preguntan siempre las dos. El ambiente que va escrito en cada documento es otra cosa: lo
fija quien opera el servicio, y si no coincide con la dirección la DIAN rechaza (NIE023).`,
    en: `This registers with the service the payroll software that the company made in the DIAN portal.
It takes the software id and its PIN of five digits; the id of the test set is something else.
The service also keeps the address of DIAN that it sends to. Every call replaces both, that of payroll and that of
invoicing; so both are always asked for here. The environment written in each document is something else: whoever
runs the service sets it, and when it does not fit the address DIAN rejects (NIE023).`,
  },
  introResolution: {
    es: `Esto registra en el servicio un rango de números. Para nómina lo escoge la empresa: la DIAN no lo autoriza.
Hace falta uno para la nómina y otro para las notas de ajuste, cada uno con su prefijo.`,
    en: `This registers a range of numbers with the service. For payroll the company chooses it: DIAN does not grant it.
One is needed for payrolls and another for adjust notes, each with its own prefix.`,
  },
  askSoftwareId: {
    es: 'Id del software de nómina (portal de la DIAN)',
    en: 'Id of the payroll software (DIAN portal)',
  },
  askPayrollAddress: {
    es: '¿La nómina va a pruebas o a producción? (test, production)',
    en: 'Does payroll go to tests or to production? (test, production)',
  },
  askInvoiceAddress: {
    es: '¿Y la facturación de esta empresa por este servicio? (test, production; same si aquí no factura)',
    en: "And this company's invoicing through this service? (test, production; same if it does not invoice here)",
  },
  askPin: {
    es: 'PIN del software de nómina (no se ve al escribir): ',
    en: 'PIN of the payroll software (not shown while typing): ',
  },
  askPinToProve: {
    es: 'Con el PIN del software de nómina se comprueba por el CUNE si {count} documentos son los suyos. PIN (vacío: dejarlos sin confirmar): ',
    en: 'With the PIN of the payroll software the CUNE tells whether {count} documents are yours. PIN (blank: leave them unconfirmed): ',
  },
  askPinAgain: { es: 'El mismo PIN otra vez: ', en: 'The same PIN again: ' },
  askDocumentType: {
    es: '¿Para qué documentos? (payroll: nómina, adjust: notas de ajuste)',
    en: 'For which documents? (payroll, adjust: adjust notes)',
  },
  askPrefix: { es: 'Prefijo, de una a cuatro letras mayúsculas', en: 'Prefix, one to four capital letters' },
  askFirstNumber: { es: 'Primer número', en: 'First number' },
  askLastNumber: { es: 'Último número', en: 'Last number' },
  planSoftware: { es: 'Se va a configurar:', en: 'This will be configured:' },
  planLine: { es: '  {name}: {value}', en: '  {name}: {value}' },
  planChange: { es: '  {name}: {value}   (antes: {before})', en: '  {name}: {value}   (before: {before})' },
  nameSoftwareId: { es: 'Id del software', en: 'Software id' },
  namePin: { es: 'PIN', en: 'PIN' },
  pinHidden: { es: 'el que acaba de dar (oculto)', en: 'the one just given (hidden)' },
  namePayroll: { es: 'Nómina', en: 'Payroll' },
  nameInvoicing: { es: 'Facturación', en: 'Invoicing' },
  nameDocumentType: { es: 'Documentos', en: 'Documents' },
  namePrefix: { es: 'Prefijo', en: 'Prefix' },
  nameRange: { es: 'Rango', en: 'Range' },
  nameNext: { es: 'Siguiente número, según el servicio', en: 'Next number, says the service' },
  typePayroll: { es: 'nómina', en: 'payroll' },
  typeAdjust: { es: 'notas de ajuste', en: 'adjust notes' },
  addressTest: { es: 'pruebas', en: 'tests' },
  addressProduction: { es: 'producción', en: 'production' },
  notKnown: { es: 'no se sabe', en: 'not known' },
  askAskService: {
    es: '¿Preguntar a {url} qué hay configurado?',
    en: 'Ask {url} what is configured?',
  },
  askChangeAddress: {
    es: '¿De verdad cambiar la dirección de {of} de {before} a {after}?',
    en: 'Really change the address of {of} from {before} to {after}?',
  },
  askReplaceAll: {
    es: '¿De verdad borrar los demás rangos de {of}?',
    en: 'Really delete the other ranges of {of}?',
  },
  askConfigure: {
    es: '¿Configurar esto en {url} para la empresa «{company}»?',
    en: 'Configure this at {url} for the company "{company}"?',
  },
  notConfigured: { es: 'No se configuró nada.', en: 'Nothing was configured.' },
  dryConfigured: {
    es: 'Simulacro (--dry-run): no se configuró nada.',
    en: 'Dry run: nothing was configured.',
  },
  softwareConfigured: {
    es: 'Software configurado. Sigue: cargue setup resolution',
    en: 'Software configured. Next: cargue setup resolution',
  },
  resolutionConfigured: {
    es: 'Rango configurado. Pruebe con un set de pruebas: cargue send ARCHIVO --test-set ID',
    en: 'Range configured. Try it with a test set: cargue send FILE --test-set ID',
  },
  showSoftware: {
    es: 'Software, según lo último que configuró este equipo ({at}); el servicio no lo deja leer:',
    en: 'Software, as this machine last set it ({at}); the service does not show it:',
  },
  showNoSoftware: {
    es: 'Software: este equipo no lo ha configurado, y el servicio no lo deja leer.',
    en: 'Software: this machine has not set it, and the service does not show it.',
  },
  showRange: {
    es: 'Rango de {type}, prefijo {prefix}: siguiente número {next}.',
    en: 'Range of {type}, prefix {prefix}: next number {next}.',
  },
  showNoRange: {
    es: 'Rango de {type}{prefix}: el servicio no muestra ninguno.',
    en: 'Range of {type}{prefix}: the service shows none.',
  },
} satisfies Record<string, Text>;
