import type { CodeEntry } from '../codes.js';

/** What can be wrong when the national form of a health service is made of its parts. */
export const ATTENTION_CODES = {
  'attention/user-unknown': {
    level: 'error',
    title: { es: 'Profesional desconocido', en: 'Unknown professional' },
    message: {
      es: 'El parámetro users no tiene el usuario "{value}": faltan su sede y su documento.',
      en: 'The parameter users has no user "{value}": its site and document are not known.',
    },
    fix: {
      es: 'Agregue el usuario al parámetro users (user_id, tipoDocumentoIdentificacion, numDocumentoIdentificacion, codPrestador), o corrija la celda.',
      en: 'Add the user to the parameter users (user_id, tipoDocumentoIdentificacion, numDocumentoIdentificacion, codPrestador), or correct the cell.',
    },
  },
  'attention/not-carried': {
    level: 'warning',
    title: { es: 'Dato que el servicio no lleva', en: 'A value that the service does not carry' },
    message: {
      es: 'El servicio no tiene campo para {field}: «{value}» no llega al Ministerio, le llega {sent}.',
      en: 'The service has no field for {field}: "{value}" does not reach the ministry, which gets {sent}.',
    },
    fix: {
      es: 'Si el Ministerio lo exige en este registro, repórtelo por otro medio: `cargue convert` hace su JSON nacional completo.',
      en: 'Where the ministry demands it of this record, report it in another way: `cargue convert` makes its whole national JSON.',
    },
  },
  'attention/items-unmatched': {
    level: 'error',
    title: { es: 'Ítems nacionales sin su servicio', en: 'National items without their service' },
    message: {
      es: 'El mapeo escribe {items} ítems nacionales de {group}, y el documento tiene {services} servicios de ese grupo.',
      en: 'The mapping writes {items} national items of {group}, and the document has {services} services of that group.',
    },
    fix: {
      es: 'Use en national.servicios los mismos $each, $where y $sort que en document.services.',
      en: 'Use the same $each, $where and $sort in national.servicios as in document.services.',
    },
  },
} satisfies Readonly<Record<string, CodeEntry>>;
