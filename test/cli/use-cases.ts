import * as adjustUseCases from '../../src/app/adjust.js';
import * as apiUseCases from '../../src/app/api.js';
import * as approveUseCases from '../../src/app/approve.js';
import * as catalogueUseCases from '../../src/app/catalogue.js';
import * as checkUseCases from '../../src/app/check.js';
import { type UseCase, withTables } from '../../src/app/context.js';
import * as convertUseCases from '../../src/app/convert.js';
import * as demoUseCases from '../../src/app/demo.js';
import * as emailUseCases from '../../src/app/email.js';
import * as explainUseCases from '../../src/app/explain.js';
import * as inspectUseCases from '../../src/app/inspect.js';
import * as invoiceEventsUseCases from '../../src/app/invoice-events.js';
import * as journalUseCases from '../../src/app/journal.js';
import * as lawUseCases from '../../src/app/law.js';
import * as mappingUseCases from '../../src/app/mapping.js';
import * as previewUseCases from '../../src/app/preview.js';
import * as profileUseCases from '../../src/app/profile.js';
import * as projectUseCases from '../../src/app/project.js';
import * as receptionUseCases from '../../src/app/reception.js';
import * as reportUseCases from '../../src/app/report.js';
import * as resumeUseCases from '../../src/app/resume.js';
import * as sandboxUseCases from '../../src/app/sandbox.js';
import * as schemaUseCases from '../../src/app/schema.js';
import * as sendUseCases from '../../src/app/send.js';
import * as setupUseCases from '../../src/app/setup.js';
import * as statusUseCases from '../../src/app/status.js';
import * as templateUseCases from '../../src/app/template.js';
import * as trailUseCases from '../../src/app/trail.js';
import type { Options } from '../../src/cli/options.js';
import { runOnTerminal, type TerminalContext } from '../../src/cli/run.js';

/** The use cases as the command line runs them: shown on the call's terminal, ended by what the shell is told. */
export type ShownUseCase = (
  call: TerminalContext,
  args: readonly string[],
  options: Options,
) => Promise<number>;

const shown =
  (useCase: UseCase): ShownUseCase =>
  (call, args, options) =>
    withTables(call, () => runOnTerminal(useCase, call, args, options));

export const adjust = shown(adjustUseCases.adjust);
export const api = shown(apiUseCases.api);
export const approve = shown(approveUseCases.approve);
export const catalogueImport = shown(catalogueUseCases.catalogueImport);
export const catalogueList = shown(catalogueUseCases.catalogueList);
export const cataloguePull = shown(catalogueUseCases.cataloguePull);
export const catalogueShow = shown(catalogueUseCases.catalogueShow);
export const check = shown(checkUseCases.check);
export const convert = shown(convertUseCases.convert);
export const demo = shown(demoUseCases.demo);
export const email = shown(emailUseCases.email);
export const events = shown(invoiceEventsUseCases.events);
export const explain = shown(explainUseCases.explain);
export const inspect = shown(inspectUseCases.inspect);
export const journalAbandon = shown(journalUseCases.journalAbandon);
export const journalAdopt = shown(journalUseCases.journalAdopt);
export const journalBackup = shown(journalUseCases.journalBackup);
export const journalCopy = shown(journalUseCases.journalCopy);
export const journalExport = shown(journalUseCases.journalExport);
export const journalPath = shown(journalUseCases.journalPath);
export const journalPurge = shown(journalUseCases.journalPurge);
export const journalKey = shown(trailUseCases.journalKey);
export const journalVerify = shown(trailUseCases.journalVerify);
export const lawExport = shown(lawUseCases.lawExport);
export const lawImport = shown(lawUseCases.lawImport);
export const lawRemove = shown(lawUseCases.lawRemove);
export const lawShow = shown(lawUseCases.lawShow);
export const mappingLint = shown(mappingUseCases.mappingLint);
export const mappingTest = shown(mappingUseCases.mappingTest);
export const newProject = shown(projectUseCases.newProject);
export const mappingList = shown(mappingUseCases.mappingList);
export const mappingShow = shown(mappingUseCases.mappingShow);
export const mappingAdd = shown(mappingUseCases.mappingAdd);
export const mappingForget = shown(mappingUseCases.mappingForget);
export const preview = shown(previewUseCases.preview);
export const profileAdd = shown(profileUseCases.profileAdd);
export const profileList = shown(profileUseCases.profileList);
export const profileShow = shown(profileUseCases.profileShow);
export const profileChange = shown(profileUseCases.profileChange);
export const reception = shown(receptionUseCases.reception);
export const report = shown(reportUseCases.report);
export const resume = shown(resumeUseCases.resume);
export const sandbox = shown(sandboxUseCases.sandbox);
export const schemaList = shown(schemaUseCases.schemaList);
export const schemaOpenapi = shown(schemaUseCases.schemaOpenapi);
export const schemaShow = shown(schemaUseCases.schemaShow);
export const send = shown(sendUseCases.send);
export const sendRunById = shown(resumeUseCases.sendRunById);
export const setupResolution = shown(setupUseCases.setupResolution);
export const setupShow = shown(setupUseCases.setupShow);
export const setupSoftware = shown(setupUseCases.setupSoftware);
export const status = shown(statusUseCases.status);
export const template = shown(templateUseCases.template);
