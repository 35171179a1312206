import type { Call, Topic } from '../answer.js';
import { numberOf, workerOf } from './document.js';

const known = (topic: Topic): Topic =>
  Object.fromEntries(Object.entries(topic).filter(([, value]) => value !== undefined && value !== ''));

/** What a request with a document in it is about. */
export const documentTopic = ({ body }: Call): Topic => {
  const note = body['notes'];
  return known({
    number: numberOf(body),
    worker: workerOf(body),
    ...(typeof note === 'string' && { note }),
  });
};
