import type { PipelineErrorKey } from '../issues/pipeline-error.js';

/** What the program tells the shell. */
export const EXIT = {
  fine: 0,
  dataErrors: 1,
  usage: 2,
  unreachable: 3,
  unfinished: 4,
  /** A defect of the program itself: EX_SOFTWARE of sysexits. */
  defect: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_ERROR: Readonly<Record<PipelineErrorKey, ExitCode>> = {
  usage: EXIT.usage,
  mapping: EXIT.usage,
  journal: EXIT.usage,
  output: EXIT.usage,
  unfinished: EXIT.unfinished,
  busy: EXIT.unfinished,
  input: EXIT.dataErrors,
  service: EXIT.unreachable,
};
