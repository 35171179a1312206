/**
 * `npx tsx test/chaos/events.ts [INVOICES] [SEED]`: three events on each of 2,000 invoices over a line on which a tenth
 * of all requests fails, two senders killed. Exit code 1 when an event was registered twice, out of order, or lost.
 */
import { playEvents } from './event-seeds.js';

const [invoices = '2000', seed = '1'] = process.argv.slice(2);
const found = await playEvents({ first: Number(seed), runs: 1, invoices: Number(invoices) });
process.exitCode = found === 0 ? 0 : 1;
