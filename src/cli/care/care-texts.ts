/** What is said of RIPS packages only. */
export const CARE_TEXTS = {
  careValue: { es: 'Valor:      {amount}', en: 'Value:      {amount}' },
  askSisproPassword: { es: 'Clave de SISPRO: ', en: 'Password of SISPRO: ' },
  sisproStored: {
    es: 'El servicio guardó el acceso a SISPRO.',
    en: 'The service stored the access to SISPRO.',
  },
  resultsKept: {
    es: 'Resultados del Ministerio: {count} en {folder}',
    en: 'Results of the ministry: {count} in {folder}',
  },
  laterTypes: {
    es: 'Aviso: algunas versiones del servicio no transmiten bien servicios que no son consultas; revise los primeros.',
    en: 'Note: some versions of the service do not carry services other than consultations well; look at the first ones.',
  },
} as const;
