import { lockSender } from '../../src/send/journal.js';

/** Takes the lock of a journal and holds it until it is killed. */
lockSender(process.argv[2]!);
process.stdout.write('locked');
setInterval(() => {}, 60_000);
