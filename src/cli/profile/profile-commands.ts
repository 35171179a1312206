import { COMMON, type CommandSpec } from '../command-spec.js';

const NAME = { form: '<NAME>', about: { es: 'nombre del perfil', en: 'name of the profile' } } as const;

/** Profiles: where a company sends, said once. */
export const PROFILE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'profile list',
    about: { es: 'lista los perfiles', en: 'list the profiles' },
    args: [],
    options: [...COMMON],
    load: () => import('../commands/profile-list.js'),
  },
  {
    name: 'profile show',
    about: { es: 'muestra un perfil, sin sus secretos', en: 'show a profile, without its secrets' },
    args: [NAME],
    options: [...COMMON],
    load: () => import('../commands/profile-show.js'),
  },
  {
    name: 'profile add',
    about: { es: 'crea un perfil, paso a paso', en: 'make a profile, step by step' },
    args: [NAME],
    options: [
      'url',
      'environment',
      'company',
      'companyName',
      'testSet',
      'concurrency',
      'rate',
      'timeout',
      'ca',
      'yes',
      ...COMMON,
    ],
    load: () => import('../commands/profile-add.js'),
  },
];
