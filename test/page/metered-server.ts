import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startWeb } from '../../src/page/server/server.js';

/** A server of the page that says how long its own thread answered nobody. */
const RESOLUTION_MS = 5;

const [workspace = '', url = '', token = ''] = process.argv.slice(2);
const { invite } = await startWeb({
  surroundings: { language: 'es', now: () => new Date(), workspace, url, token },
  options: {},
});
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

/** At each message: the longest stall since the one before, in ms. */
process.on('message', () => {
  process.send!({ stallMs: delay.max / 1e6 });
  delay.reset();
});
process.on('disconnect', () => process.exit());
process.send!({ link: invite() });
