import { existsSync } from 'node:fs';
import { writeTemplate } from '../report/template.js';
import { templatePlan } from '../toolkit/mapping/template.js';
import type { UseCase } from './context.js';
import { emitMessage } from './events.js';
import { familiesOf, loadChosen } from './job.js';
import type { OutputOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';

/** Returns the template's name, in the current folder: `plantilla-payroll-wide.xlsx`. */
const defaultName = (target: string): string =>
  `plantilla-${target.replace(/\.[a-z]+$/i, '').replace(/[^\p{L}\p{N}]+/gu, '-')}.xlsx`;

/** `cargue template TARGET`: writes an empty workbook for the mapping that will read it. */
export const template: UseCase<OutputOptions> = async (context, [target = ''], options) => {
  const { language, now } = context;
  const named = familiesOf(context)
    .map(({ documents }) => documents.mappings.template)
    .find((template) => template?.name === target);
  const planned = templatePlan(await loadChosen(named?.mapping ?? target));
  // The instructions name the mapping as the next call must; the user's own by its path.
  const plan = existsSync(target) ? { ...planned, mapping: target } : planned;
  const wanted = options.output ?? defaultName(target);
  refuseOutput(context, options, { purpose: 'template', output: wanted, files: [target] });
  const placing = outputOf(context, options, 'template');
  const file = await writeTemplate(plan, { file: wanted, language, now: now(), placing });
  emitMessage(context, 'written', { file });
  context.tell({ event: 'template', mapping: plan.mapping, file });
  return 'fine';
};
