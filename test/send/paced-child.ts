import { createClient } from '../../src/client/client.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { lockSender, openJournal } from '../../src/send/journal.js';
import { sendRun } from '../../src/send/send.js';
import { scaledWorld } from './scaled-world.js';

/** A sender of its own, 600 requests a minute of a faster clock: `journal url run speed`. */
const [path = '', url = '', run = '', speed = ''] = process.argv.slice(2);
const lock = lockSender(path);
const journal = await openJournal(path);
const client = createClient({ url, token: 'none' });
const policy = { concurrency: 4, requestsPerMinute: 600 };
await sendRun({ journal, run, client, kind: PAYROLL, policy, world: scaledWorld(Number(speed)) });
await client.close();
await journal.close();
lock.release();
