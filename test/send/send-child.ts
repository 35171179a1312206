import { createClient } from '../../src/client/client.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { lockSender, openJournal } from '../../src/send/journal.js';
import { sendRun } from '../../src/send/send.js';

/** A sender of its own: `journal url run token`. */
const [path = '', url = '', run = '', token = ''] = process.argv.slice(2);
const lock = lockSender(path);
const journal = await openJournal(path);
const client = createClient({ url, token });
const result = await sendRun({
  journal,
  run,
  client,
  kind: PAYROLL,
  policy: { concurrency: 4 },
  softwarePin: '12345',
});
process.stdout.write(JSON.stringify(result.counts));
await client.close();
await journal.close();
lock.release();
