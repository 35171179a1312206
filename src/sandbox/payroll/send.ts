import { randomUUID } from 'node:crypto';
import { cune } from '../../payroll/cune.js';
import { DIAN_ADDRESS } from '../../payroll/dian-address.js';
import type { JsonObject } from '../../values/json.js';
import { type Answer, type Call, declined, type Handler, ok, type Subject } from '../answer.js';
import { bogota } from '../clock.js';
import type { Company, Resolution } from '../companies.js';
import { isTrue } from '../members.js';
import type { Environment } from '../options.js';
import { envelope, NIL, nested } from '../soap.js';
import type { Verdict } from '../verdict.js';
import { readWish, type Wish } from '../wishes.js';
import { admit } from './admission.js';
import type { Row } from './book.js';
import type { PayrollContext } from './context.js';
import { dianResult } from './dian-result.js';
import { cunePartsOf } from './document.js';
import { judge } from './judge.js';
import { type Composed, papersOf } from './papers.js';
import { documentTopic } from './topics.js';

/** P3–P6: the same door, two ways to DIAN. */

/** A document that is through the door, on its way to DIAN. */
interface Sending extends Composed {
  readonly call: Call;
  readonly subject: Subject;
  readonly range: Resolution;
  readonly wish: Wish;
}

const SYNC = ['SendNominaSyncResponse', 'SendNominaSyncResult'];
const TEST_SET = ['SendTestSetAsyncResponse', 'SendTestSetAsyncResult'];

export const synchronousSend = (context: PayrollContext): Handler => sendHandler(context, sendSync);
export const testSetSend = (context: PayrollContext): Handler => sendHandler(context, sendTestSet);

function sendHandler(
  context: PayrollContext,
  deliver: (context: PayrollContext, sending: Sending) => Answer,
): Handler {
  return {
    about: documentTopic,
    answer: (call, subject) => {
      const { refusals, settings, book, clock } = context;
      const admission = admit(call);
      if (admission.is === 'invalid') return refusals.invalid(admission.faults);
      if (admission.is === 'crashed') return refusals.crash(admission.crash.reason, admission.crash.kind);
      const { document, range } = admission;
      const { company } = call;
      if (company.certificateDaysLeft <= 0)
        return declined('El certificado digital se encuentra vencido', { certificate_days_left: 0 });
      const sent = book.accepted(company.nit, document.typeDocumentId, range.prefix, document.consecutive);
      if (settings.validateBeforeSending && sent !== undefined) return alreadySent(sent);
      const parts = cunePartsOf(document, company, bogota(clock.now()).time);
      const wish = readWish(subject.note);
      return deliver(context, { call, subject, company, document, range, parts, cune: cune(parts), wish });
    },
  };
}

const alreadySent = (row: Row): Answer =>
  declined(
    'Documento ya enviado',
    { employee: row.employee, cune: row.cune, total_payroll: row.net },
    'already-sent',
  );

/** Where the configured address leads; P1 without one leads back to the test environment. */
const addressed = ({ software }: Company): Environment =>
  new URL(software.urlpayroll).host === new URL(DIAN_ADDRESS.production).host ? 'production' : 'test';

function verdictOf(
  context: PayrollContext,
  { subject, company, document, cune, wish }: Sending,
  sentTo: Environment,
): Verdict {
  const now = context.clock.now();
  const chosen = context.verdicts.take(subject) ?? wish.verdict;
  return judge(
    {
      document,
      company,
      cune,
      sentTo,
      today: bogota(now).date,
      at: now.toISOString(),
      ...(chosen !== undefined && { chosen }),
    },
    context.archive,
  );
}

/** Writes the service's own row; returns its key. */
const book = (
  context: PayrollContext,
  { company, document, range, cune }: Sending,
  accepted: boolean,
): string =>
  context.book.write({
    company: company.nit,
    typeDocumentId: document.typeDocumentId,
    prefix: range.prefix,
    consecutive: document.consecutive,
    number: document.number,
    cune,
    worker: document.worker,
    employee: document.employee,
    net: document.net,
    accepted,
  });

const GENERATED = {
  payroll: 'Nómina generada',
  replace: 'Nómina de ajuste generada',
  delete: 'Nómina de ajuste generada',
};

function sendSync(context: PayrollContext, sending: Sending): Answer {
  const { company, document, cune } = sending;
  const verdict = verdictOf(context, sending, addressed(company));
  const accepted = verdict.state === 'accepted';
  book(context, sending, accepted);
  const result = dianResult({ kind: document.kind, number: document.number, verdict });
  const answer = (bytes: JsonObject | string): JsonObject => ({
    message: GENERATED[document.kind],
    ResponseDian: envelope(nested(SYNC, { ...result, XmlBase64Bytes: bytes })),
  });
  if (!accepted)
    return ok(
      { ...answer(NIL), cune, certificate_days_left: company.certificateDaysLeft },
      verdict.findings.some(({ rule }) => rule === '90') ? 'already-sent' : 'rejected',
    );
  if (isTrue(document.body['sendmail']) && document.email !== undefined)
    context.outbox.put({
      company: company.nit,
      to: document.email,
      number: document.number,
      documentCode: cune,
      at: context.clock.now().toISOString(),
    });
  const sheets = papersOf(sending);
  return ok(
    {
      ...answer(sheets['payrollxml'] as string),
      ...sheets,
      attacheddocument: '',
      urlpayrollattached: `${document.number}.zip`,
    },
    'accepted',
  );
}

function sendTestSet(context: PayrollContext, sending: Sending): Answer {
  const { call, company, document, cune, wish } = sending;
  const receipt = (result: JsonObject): JsonObject => ({
    message: 'Documento enviado al set de pruebas',
    ResponseDian: envelope(nested(TEST_SET, result)),
    ...papersOf(sending),
  });
  const testSetId = call.path['testSetId'];
  if (testSetId === company.software.idpayroll)
    return context.refusals.crash('TestSetId is the id of the software');
  if (company.testSetId !== undefined && testSetId !== company.testSetId) {
    const refusal = { Success: 'false', ProcessedMessage: 'Set de pruebas no encontrado' };
    return ok(receipt({ ErrorMessageList: { XmlParamsResponseTrackId: refusal }, ZipKey: NIL }), 'refused');
  }
  // Judged in order of arrival, as DIAN's queue does; only the answer waits (status.ts).
  const verdict = verdictOf(context, sending, 'test');
  const zipKey = randomUUID();
  context.book.saveBatch({
    zipKey,
    company: company.nit,
    kind: document.kind,
    number: document.number,
    worker: document.worker,
    cune,
    rowKey: book(context, sending, false),
    verdict,
    polls: 0,
    ...(wish.fault?.kind === 'pending-forever' && { stuck: true }),
  });
  return ok(receipt({ ErrorMessageList: NIL, ZipKey: zipKey }), 'received');
}
