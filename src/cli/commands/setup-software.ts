import { clientFor } from '../client-for.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import type { Options } from '../options.js';
import { say } from '../say.js';
import { serviceAddress } from '../service.js';
import { configure } from '../setup/configure.js';
import { checkTarget, targetWord } from '../setup/dian-target.js';
import { planAccepted, tellFaults } from '../setup/setup-plan.js';
import { readRecord, type SetupRecord, writeRecord } from '../setup/setup-record.js';
import { checkField, setupValue } from '../setup/setup-value.js';
import { type Software, softwareFaults, softwarePlan, storedSoftware } from '../setup/software-plan.js';
import { softwarePin } from '../software-pin.js';

const TARGETS = 'test | production | https://…';

/** Every value of the call but the PIN: from options, a person, or what was set before. */
async function gather(context: Context, options: Options, { software }: SetupRecord): Promise<Software> {
  const id = await setupValue(context, options, {
    option: '--software-id',
    given: options.softwareId,
    question: 'askSoftwareId',
    expected: 'ID',
    ...(software !== undefined && { known: software.id }),
    check: checkField('payroll/software', 'idpayroll'),
  });
  const payroll = await setupValue(context, options, {
    option: '--payroll-address',
    given: options.payrollAddress,
    question: 'askPayrollAddress',
    expected: TARGETS,
    ...(software !== undefined && { known: targetWord(software.payroll) }),
    check: checkTarget('--payroll-address', TARGETS),
  });
  const invoicing = await setupValue(context, options, {
    option: '--invoice-address',
    given: options.invoiceAddress,
    question: 'askInvoiceAddress',
    expected: `${TARGETS} | same`,
    ...(software !== undefined && { known: targetWord(software.invoicing) }),
    check: checkTarget('--invoice-address', `${TARGETS} | same`, payroll),
  });
  return { id, payroll, invoicing };
}

/**
 * `cargue setup software`. Both addresses are always named: a call that leaves one out sends the company, its
 * invoicing too, back to DIAN's test environment (service.md 4.9).
 */
export const run: Run = async (context, _args, options) => {
  const { terminal, language } = context;
  const url = serviceAddress(context, options);
  terminal.say(say(language, 'introSoftware'));
  const record = await readRecord(context, options);
  const wanted = await gather(context, options, record);
  const pin = await softwarePin(context, options);
  const plan = softwarePlan(language, options, wanted, record.software);
  if (!(await planAccepted(context, options, { url, ...plan }))) return EXIT.fine;
  const client = await clientFor(context, options, url);
  try {
    const body = { idpayroll: wanted.id, pinpayroll: pin, url: wanted.invoicing, urlpayroll: wanted.payroll };
    const answer = await configure(client, 'configurePayrollSoftware', body, [pin]);
    const software = storedSoftware(wanted, answer);
    await writeRecord(context, options, {
      ...record,
      software: { ...software, at: context.now().toISOString() },
    });
    if (options.json) terminal.out(JSON.stringify({ event: 'setup', what: 'software', ...software }));
    return tellFaults(context, options, softwareFaults(language, wanted, answer), 'softwareConfigured');
  } finally {
    await client.close();
  }
};
