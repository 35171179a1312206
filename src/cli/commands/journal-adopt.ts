import { tokenFingerprint } from '../../client/address.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { adoptable, claimToken, companyOf, withSender } from '../journal-access.js';
import { say } from '../say.js';
import { confirmed, serviceAddress } from '../service.js';

/**
 * `cargue journal adopt`: a person's word that the file in the place of the journal is this company's, and that the token is,
 * too. What it may not know it doubts.
 */
export const run: Run = async (context, _args, options) => {
  const { terminal, language, token } = context;
  const url = serviceAddress(context, options);
  const path = adoptable(context, options);
  const params = { path, company: companyOf(options) };
  if (!(await confirmed(context, options, say(language, 'askAdopt', params)))) return EXIT.fine;
  return withSender(context, options, { adopt: path }, async (journal) => {
    if (token !== undefined) claimToken(context, options, journal, tokenFingerprint(url.href, token), true);
    if (options.json) terminal.out(JSON.stringify({ event: 'adopt', company: params.company, path }));
    terminal.say(say(language, 'adopted', params));
    return EXIT.fine;
  });
};
