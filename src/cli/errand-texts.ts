import type { Text } from '../issues/codes.js';

/** What `preview` and `email` say to people. */
export const ERRAND_TEXTS = {
  previewing: { es: 'Pidiendo vistas previas', en: 'Asking for previews' },
  mailing: { es: 'Enviando correos', en: 'Sending e-mails' },
  askPreview: {
    es: '¿Mandar {count} documentos a {url} para su vista previa? A la DIAN no va nada.',
    en: 'Send {count} documents to {url} for a preview? Nothing goes to DIAN.',
  },
  previews: {
    es: 'Vistas previas: {documents} documentos = {written} escritas + {there} que ya estaban + {failed} sin vista previa + {left} por pedir.',
    en: 'Previews: {documents} documents = {written} written + {there} already there + {failed} without a preview + {left} left to ask for.',
  },
  previewFolder: { es: 'Carpeta: {folder}', en: 'Folder: {folder}' },
  repeatHint: {
    es: 'Quedó sin terminar. Repita el comando: sigue donde quedó.',
    en: 'Unfinished. Repeat the command: it goes on where it stopped.',
  },
  toMail: { es: 'Por enviar: {count} correos', en: 'To mail:    {count} e-mails' },
  mailTo: { es: 'Destino:    todos a {address}', en: 'To:         all to {address}' },
  mailToWorkers: {
    es: 'Destino:    el correo de cada trabajador',
    en: "To:         each worker's own address",
  },
  alreadyMailed: {
    es: 'Ya enviados antes, no se repiten sin --again: {count}.',
    en: 'Already mailed, not repeated without --again: {count}.',
  },
  maybeMailed: {
    es: 'Pudieron haber salido antes, no se repiten sin --again: {count}.',
    en: 'May have been mailed before, not repeated without --again: {count}.',
  },
  noAddress: {
    es: 'Sin correo en el documento: {count}.',
    en: 'Without an address in the document: {count}.',
  },
  notAccepted: {
    es: 'Sin aceptar por la DIAN, no se envían: {count}.',
    en: 'Not accepted by DIAN, not mailed: {count}.',
  },
  deletionsNotMailed: {
    es: 'Eliminaciones aceptadas, que no tienen a quién enviarse: {count}.',
    en: 'Accepted deletions, which have nobody to be mailed to: {count}.',
  },
  askMail: {
    es: '¿Enviar {count} correos de {company} ({target})?',
    en: 'Send {count} e-mails of {company} ({target})?',
  },
  targetTestSet: { es: '{environment}, set de pruebas {testSet}', en: '{environment}, test set {testSet}' },
  targetDirect: { es: '{environment}, envío directo', en: '{environment}, sent directly' },
  nothingToMail: { es: 'No hay correos por enviar.', en: 'There is nothing to mail.' },
  notMailed: { es: 'No se envió ningún correo.', en: 'No e-mail was sent.' },
  mails: {
    es: 'Correos: {documents} documentos = {mailed} enviados + {already} ya enviados + {unconfirmed} sin confirmar + {refused} no admitidos + {noAddress} sin correo + {deletions} eliminaciones + {notAccepted} sin aceptar + {left} por enviar.',
    en: 'E-mails: {documents} documents = {mailed} mailed + {already} already mailed + {unconfirmed} unconfirmed + {refused} refused + {noAddress} without an address + {deletions} deletions + {notAccepted} not accepted + {left} left to mail.',
  },
} satisfies Record<string, Text>;
