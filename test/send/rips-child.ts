import { createClient } from '../../src/client/client.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import { lockSender, openJournal } from '../../src/send/journal.js';
import { sendRun } from '../../src/send/send.js';

/** A sender of packages of its own: `journal url run token`. */
const [path = '', url = '', run = '', token = ''] = process.argv.slice(2);
const lock = lockSender(path);
const journal = await openJournal(path);
const client = createClient({ url, token });
await sendRun({ journal, run, client, kind: RIPS, policy: { concurrency: 4 } });
await client.close();
await journal.close();
lock.release();
