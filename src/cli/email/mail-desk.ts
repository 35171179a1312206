import type { Issue } from '../../issues/issue.js';
import type { Reply } from '../../send/reply.js';
import type { Run as JournalRun } from '../../send/runs.js';
import type { Context } from '../context.js';
import { createIssuePrinter } from '../issue-printer.js';
import { maskText, maskValue } from '../mask.js';
import type { Options } from '../options.js';
import { formatCount, type Phrase, say } from '../say.js';
import type { MailPlan, PlannedMail } from './mail-plan.js';

/** Tells a person what is about to be mailed and what came of it. */
export interface MailDesk {
  sayPlan(url: URL): void;
  /** The question: how many, whose, from where. */
  question(): string;
  settle(mail: PlannedMail, reply: Reply<true>): Promise<void>;
  sumUp(): void;
}

export function mailDesk(
  { terminal, language }: Context,
  options: Options,
  run: JournalRun,
  { counts, issues, mails }: MailPlan,
): MailDesk {
  const { company } = run.meta;
  const printer = createIssuePrinter(terminal, {
    json: options.json === true,
    mask: options.showValues ? (issue) => issue : (issue) => maskValue(issue, ['payroll/payroll']),
  });
  const count = (number: number): string => formatCount(number, language);
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>> = {}): void =>
    terminal.say(say(language, phrase, params));
  const { testSet } = run;
  /** The service may repeat the address in its sentence. */
  const covered = (issue: Issue, address: string): Issue => {
    const text = String(issue.params['text'] ?? '');
    const shown = options.showValues ? text : text.replaceAll(address, maskText(address));
    return { ...issue, params: { ...issue.params, text: shown } };
  };

  return {
    sayPlan(url) {
      for (const issue of issues) printer.print(issue);
      terminal.say();
      line('company', { company });
      line('service', { url: url.href });
      if (testSet === undefined) line('production');
      else line('testSet', { testSet });
      line('toMail', { count: count(mails.length) });
      if (options.to === undefined) line('mailToWorkers');
      else line('mailTo', { address: options.to }); // in full: it was typed here, and the yes is about it
      if (counts.already > 0) line('alreadyMailed', { count: count(counts.already) });
      if (counts.unconfirmed > 0) line('maybeMailed', { count: count(counts.unconfirmed) });
      if (counts.noAddress > 0) line('noAddress', { count: count(counts.noAddress) });
      if (counts.notAccepted > 0) line('notAccepted', { count: count(counts.notAccepted) });
    },
    question() {
      const target =
        testSet === undefined ? say(language, 'targetDirect') : say(language, 'targetTestSet', { testSet });
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
        terminal.out(JSON.stringify({ event: 'email', key, number: text, to: address, state }));
      await terminal.drained();
    },
    sumUp() {
      printer.finish();
      if (options.json) {
        terminal.out(JSON.stringify({ event: 'summary', run: run.id, emails: counts }));
        return;
      }
      const shown = Object.entries(counts).map(([name, number]) => [name, count(number)]);
      line('mails', Object.fromEntries(shown));
    },
  };
}
