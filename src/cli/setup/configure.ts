import type { Client } from '../../client/client.js';
import type { Issue } from '../../issues/issue.js';
import { PipelineError } from '../../issues/pipeline-error.js';
import { readReply } from '../../send/reply.js';
import type { JsonObject } from '../../values/json.js';
import { redactText } from '../redact.js';

/**
 * Puts a setting, once, and gives back what the service says it stored, secrets included.
 * Nothing of the answer or of the request is in the errors but sentences without the secrets.
 * @throws PipelineError('input', setup/refused) · PipelineError('service', setup/unconfirmed or service/…)
 */
export async function configure(
  client: Client,
  operation: 'configurePayrollSoftware' | 'configureResolution',
  body: JsonObject,
  secrets: readonly string[] = [],
): Promise<JsonObject> {
  const answer = await client.call(operation, { bodyText: JSON.stringify(body) });
  const reply = readReply(
    answer,
    (shown) => (shown['success'] === false ? undefined : shown),
    'setup/refused',
  );
  const clean = (issue: Issue): Issue => ({
    ...issue,
    params: Object.fromEntries(
      Object.entries(issue.params).map(([name, value]) => [
        name,
        typeof value === 'string' ? redactText(value, secrets) : value,
      ]),
    ),
  });
  switch (reply.kind) {
    case 'done':
      return reply.value;
    case 'refused':
      throw new PipelineError('input', reply.issues.map(clean));
    case 'refused-for-all':
      throw new PipelineError('service', [clean(reply.issue)]);
    case 'throttled':
      throw new PipelineError('service', [
        { code: 'service/throttled', level: 'error', params: {}, place: {} },
      ]);
    default: {
      const { reason, status } = reply.kind === 'unknown' ? reply.issue.params : {};
      const params = { reason: reason ?? status ?? '' };
      throw new PipelineError('service', [{ code: 'setup/unconfirmed', level: 'error', params, place: {} }]);
    }
  }
}
