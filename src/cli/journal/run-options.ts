import type { OptionSpec } from '../option-spec.js';

/** What a person says of a run that lies in the journal. */
export interface RunOptionValues {
  readonly hold?: boolean;
  readonly settle?: readonly string[];
  readonly before?: string;
  /** Never set: other meanings of `--as` and `--reason`, which are filed under `as` and `reason`. */
  readonly asPerson?: undefined;
  readonly whyAbandon?: undefined;
}

export const RUN_OPTIONS: Readonly<Record<keyof RunOptionValues, OptionSpec>> = {
  hold: {
    flags: '--hold',
    about: {
      es: 'deja todo listo y no envía: sigue con approve EJECUCIÓN y send EJECUCIÓN',
      en: 'lay all out and do not send: goes on by approve RUN and send RUN',
    },
  },
  settle: {
    flags: '--settle <NUMBER=WORD>',
    about: {
      es: 'lo que usted averiguó de un documento sin confirmar: NÚMERO=accepted:CUNE (o CUDE, CUV), NÚMERO=none si no está, o en RIPS el id de lo que se hizo; se puede repetir',
      en: 'what you found out about an unconfirmed document: NUMBER=accepted:CUNE (or CUDE, CUV), NUMBER=none if it is not there, or in RIPS the id of what was made; may be repeated',
    },
    repeat: true,
  },
  before: {
    flags: '--before <DATE>',
    about: {
      es: 'solo ejecuciones terminadas antes de este día, AAAA-MM-DD',
      en: 'only runs that ended before this day, YYYY-MM-DD',
    },
  },
  asPerson: {
    flags: '--as <NAME>',
    about: {
      es: 'quién lo dice; queda en el diario (por defecto se pregunta, o la cuenta de este equipo)',
      en: 'who says so; kept in the journal (default: asked, or the account on this machine)',
    },
  },
  whyAbandon: {
    flags: '--reason <TEXT>',
    about: {
      es: 'por qué; entonces tampoco se pregunta más por lo que quedó sin confirmar, que no estorba a otro envío',
      en: 'why; then nothing is asked any more about what is unconfirmed either, and it stands in no one’s way',
    },
  },
};
