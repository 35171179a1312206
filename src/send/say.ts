import { SEND_CODES, type SendCode } from '../issues/codes/send.js';
import type { Issue, IssueParams, Place } from '../issues/issue.js';

/** An issue of this stage, at the level of its code. */
export const say = (code: SendCode, params: IssueParams = {}, place: Place = {}): Issue => ({
  code,
  level: SEND_CODES[code].level,
  params,
  place,
});
