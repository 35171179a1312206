import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AnyOptions } from '../../../app/any-options.js';
import { issueOf } from '../../../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../../../toolkit/core/json.js';
import type { Refusal, TaskName } from '../../api.js';
import { languageOf } from '../request.js';
import type { Task } from '../task.js';
import { issueView } from '../task-events.js';
import type { Upload } from '../upload.js';
import type { Act, Roles } from './roles.js';

/** The log-in, and routes that show each person what that person may see. */
const OF_ANYONE: ReadonlySet<string> = new Set([
  'GET /login',
  'GET /login/back',
  'GET /',
  'GET /assets/:name',
  'GET /api/home',
  'GET /api/companies',
  'GET /api/rules/:rule',
  'PUT /api/preferences',
  'POST /api/logout',
]);

/** Routes that name the company in the query. */
const BY_QUERY: ReadonlySet<string> = new Set([
  '/api/runs',
  '/api/month',
  '/api/documents',
  '/api/runs/:run/report',
]);

/** Acts of tasks on the files of an upload. Where two people are needed, a send is held until one approves. */
const UPLOAD_TASKS: Partial<Record<TaskName, Act>> = {
  inspect: 'see',
  check: 'see',
  send: 'prepare',
  adjust: 'prepare',
  events: 'prepare',
  reception: 'prepare',
};

/** Tasks that leave the files as they are. */
const READING: ReadonlySet<TaskName> = new Set(['inspect', 'check']);

/** Acts of tasks on a run. */
const RUN_TASKS: Partial<Record<TaskName, Act>> = {
  status: 'see',
  report: 'see',
  preview: 'see',
  send: 'send',
  resume: 'send',
  email: 'send',
  approve: 'approve',
  giveBack: 'approve',
};

/**
 * Options that people may set. No other reaches a task: some lead to another company, speak for another person, or
 * change what the administrator of the server decides.
 */
const GRANTED: ReadonlySet<string> = new Set([
  'profile',
  'partial',
  'hold',
  'note',
  'dryRun',
  'reason',
  'deleteMissing',
  'settle',
  'expand',
  'byCufe',
  'only',
  'to',
  'again',
  'paymentConcept',
  'booking',
] satisfies readonly (keyof AnyOptions)[]);

/** Finds the uploads and tasks that a request names. */
export interface Known {
  findUpload(id: string): Upload | undefined;
  findTask(id: string): Task | undefined;
}

interface Asked {
  readonly url: string;
  readonly isRead: boolean;
  readonly params: { readonly id?: string; readonly task?: string; readonly name?: string };
  readonly profile: string | undefined;
  readonly body: JsonObject;
}

/** Companies and act that a request is about. */
interface Errand {
  readonly companies: readonly (string | undefined)[];
  /** Undefined if no one may do it here. */
  readonly act: Act | undefined;
}

const askedBy = (request: FastifyRequest): Asked => ({
  url: request.routeOptions.url ?? '',
  isRead: request.method === 'GET' || request.method === 'HEAD',
  params: request.params as Asked['params'],
  profile: (request.query as { readonly profile?: string }).profile,
  body: isObject(request.body) ? request.body : {},
});

const profileIn = (value: JsonValue | undefined): string | undefined =>
  isObject(value) && typeof value['profile'] === 'string' ? value['profile'] : undefined;

/** True for a task on a run, which changes nothing of the files. */
const isRunTask = (url: string): boolean => url.endsWith('/runs/:run/tasks/:name');
const isTask = (url: string): boolean => url.endsWith('/tasks/:name');

/** Returns what a request is about; undefined if it names nothing that is there. */
function errandOf(
  { url, isRead, params, profile, body }: Asked,
  known: Known,
  by: string,
): Errand | undefined {
  const name = params.name as TaskName;
  if (BY_QUERY.has(url) && isRead) return { companies: [profile], act: 'see' };
  // The sandbox of a demonstration is for one computer.
  if (url === '/api/uploads')
    return { companies: [profileIn(body)], act: body['demo'] ? undefined : 'prepare' };
  if (url.startsWith('/api/uploads/:id')) {
    const upload = known.findUpload(params.id ?? '');
    if (upload === undefined) return undefined;
    const tasks = isRunTask(url) ? RUN_TASKS : UPLOAD_TASKS;
    const act = isTask(url) ? tasks[name] : isRead ? 'see' : 'prepare';
    return { companies: [upload.profile, ...(url.endsWith('/company') ? [profileIn(body)] : [])], act };
  }
  if (url === '/api/runs/:run/tasks/:name')
    return { companies: [profileIn(body['options'])], act: RUN_TASKS[name] };
  if (url.startsWith('/api/task/:task')) {
    const task = known.findTask(params.task ?? '');
    if (task === undefined) return undefined;
    const acts = task.revision === null ? RUN_TASKS : UPLOAD_TASKS;
    // Nobody says yes in another person's name.
    const isOthers = url.endsWith('/answer') && task.account !== by;
    return { companies: [task.profile], act: isRead ? 'see' : isOthers ? undefined : acts[task.name] };
  }
  return { companies: [], act: undefined };
}

/** True if the person may do what a request asks for. */
function isAllowed(request: FastifyRequest, roles: Roles, known: Known): boolean {
  const asked = askedBy(request);
  const { person, method } = request;
  if (OF_ANYONE.has(`${asked.isRead ? 'GET' : method} ${asked.url}`)) return true;
  const errand = errandOf(asked, known, person.id);
  if (errand === undefined) return true; // the route answers that it is not there
  const { companies, act } = errand;
  return (
    act !== undefined &&
    companies.every((company) => company !== undefined && roles.mayDo(person, company, act))
  );
}

/** Returns the options that the roles decide, whatever the request says. */
function imposed({ url }: Asked, company: string | undefined, roles: Roles, by: string): JsonObject {
  const needsTwo = company !== undefined && roles.needsTwo(company);
  if (isRunTask(url)) return { as: by, ...(needsTwo && { twoPeople: true }) };
  return needsTwo ? { hold: true } : {};
}

/** Refuses every request that the roles of its person do not allow, and sets the options that roles decide. */
export function requireRoles(app: FastifyInstance, roles: Roles, known: Known): void {
  app.addHook('preValidation', async (request, reply) => {
    if (!isAllowed(request, roles, known)) {
      const issue = issueView(issueOf('web/no-right', 'error', {}), languageOf(request));
      return reply.code(403).send({ issues: [issue] } satisfies Refusal);
    }
    const asked = askedBy(request);
    const { id, task } = asked.params;
    const isWork = !asked.isRead && task === undefined && !isRunTask(asked.url);
    if (isWork && id !== undefined && !READING.has(asked.params.name as TaskName))
      known.findUpload(id)?.preparedBy(request.person.id);
    if (!isTask(asked.url)) return undefined;
    const { options } = asked.body;
    const given = Object.entries(isObject(options) ? options : {}).filter(([name]) => GRANTED.has(name));
    const [company] = errandOf(asked, known, request.person.id)?.companies ?? [];
    const fixed = imposed(asked, company, roles, request.person.id);
    request.body = { ...asked.body, options: { ...Object.fromEntries(given), ...fixed } };
    return undefined;
  });
}
