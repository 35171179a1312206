import type { Issue } from '../../issues/issue.js';
import type { Reply } from '../../send/reply.js';
import type { Run as JournalRun } from '../../send/runs.js';
import type { Context } from '../context.js';
import { companyText, environmentOf, targetText } from '../environment.js';
import { createIssuePrinter } from '../issue-printer.js';
import { maskFor, shownPerson } from '../mask.js';
import type { Options } from '../options.js';
import { formatCount, type Phrase, say } from '../say.js';
import type { MailPlan, PlannedMail } from './mail-plan.js';

/** Tells a person what is about to be mailed and what came of it. */
export interface MailDesk {
  sayPlan(): void;
  /** The question: how many, whose, from where. */
  question(): string;
  settle(mail: PlannedMail, reply: Reply<true>): Promise<void>;
  sumUp(): void;
}

export function mailDesk(
  context: Context,
  url: URL,
  options: Options,
  run: JournalRun,
  { counts, issues, mails }: MailPlan,
): MailDesk {
  const { terminal, language } = context;
  const { testSet } = run;
  const company = companyText(context, { ...options, company: run.meta.company });
  const printer = createIssuePrinter(terminal, {
    json: options.json === true,
    mask: maskFor(options, ['payroll/payroll']),
  });
  const count = (number: number): string => formatCount(number, language);
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>> = {}): void =>
    terminal.say(say(language, phrase, params));
  const shown = shownPerson(options);
  /** The service may repeat the address in its sentence. */
  const covered = (issue: Issue, address: string): Issue => {
    const text = String(issue.params['text'] ?? '').replaceAll(address, shown(address));
    return { ...issue, params: { ...issue.params, text } };
  };

  return {
    sayPlan() {
      for (const issue of issues) printer.print(issue);
      terminal.say();
      line('company', { company });
      line('service', { url: url.href });
      terminal.say(targetText(context, url, testSet));
      line('toMail', { count: count(mails.length) });
      if (options.to === undefined) line('mailToWorkers');
      else line('mailTo', { address: options.to }); // in full: it was typed here, and the yes is about it
      if (counts.already > 0) line('alreadyMailed', { count: count(counts.already) });
      if (counts.unconfirmed > 0) line('maybeMailed', { count: count(counts.unconfirmed) });
      if (counts.noAddress > 0) line('noAddress', { count: count(counts.noAddress) });
      if (counts.deletions > 0) line('deletionsNotMailed', { count: count(counts.deletions) });
      if (counts.notAccepted > 0) line('notAccepted', { count: count(counts.notAccepted) });
    },
    question() {
      const environment = say(language, environmentOf(context, url, testSet));
      const target =
        testSet === undefined
          ? say(language, 'targetDirect', { environment })
          : say(language, 'targetTestSet', { environment, testSet });
      return say(language, 'askMail', { count: count(mails.length), company, target });
    },
    async settle(mail, reply) {
      counts.left -= 1;
      const { key, text, place, address } = mail;
      const state = reply.kind === 'done' ? 'mailed' : reply.kind === 'refused' ? 'refused' : 'unconfirmed';
      counts[state] += 1;
      if (reply.kind === 'refused')
        for (const issue of reply.issues)
          printer.print({
            ...covered(issue, address),
            place: { ...place, ...issue.place },
            documentKey: key,
          });
      if (reply.kind === 'unknown') {
        const { reason, status } = reply.issue.params;
        const params = { number: text, reason: reason ?? status ?? '' };
        printer.print({ code: 'email/unconfirmed', level: 'error', params, place, documentKey: key });
      }
      if (options.json)
        terminal.out(
          JSON.stringify({ event: 'email', key: shown(key), number: text, to: shown(address), state }),
        );
      await terminal.drained();
    },
    sumUp() {
      printer.finish();
      if (options.json) {
        terminal.out(JSON.stringify({ event: 'summary', run: run.id, emails: counts }));
        return;
      }
      const figures = Object.entries(counts).map(([name, number]) => [name, count(number)]);
      line('mails', Object.fromEntries(figures));
    },
  };
}
