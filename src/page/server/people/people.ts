import type { FastifyInstance } from 'fastify';
import { sharedJournals } from '../../../app/journal-access.js';
import type { AnswerStranger } from '../safety.js';
import type { Surroundings } from '../upload.js';
import { type Known, requireRoles } from './acts.js';
import { openLogin } from './login.js';
import { Roles } from './roles.js';

/**
 * Reads the server file and finds the provider: the parts of a server for several people.
 * @throws PipelineError('usage', server/…, run/needs-database, profile/…), PipelineError('service', server/login-away)
 */
export async function openPeople(file: string, surroundings: Surroundings, answerFailed: AnswerStranger) {
  const roles = new Roles(file);
  const secret = await roles.secret(surroundings);
  await roles.refuseUnknown(surroundings);
  await sharedJournals(surroundings);
  const entrance = await openLogin(roles, secret, surroundings.now, answerFailed);
  return {
    roles,
    entrance,
    requireRoles: (app: FastifyInstance, known: Known) => requireRoles(app, roles, known),
  };
}
