import { type Sending, sendKind } from './kind-scene.js';

/** A sender of its own, to be killed. */
await sendKind(JSON.parse(process.argv[2]!) as Sending);
