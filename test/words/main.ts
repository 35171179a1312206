/** `npm run words`: prints how the rooms name and comment, beside what holds them and what they aim at. */
import { CEILINGS } from './ceilings.js';
import { measureWords, TARGETS } from './figures.js';

console.log('aims', TARGETS);
for (const [room, figures] of Object.entries(measureWords()))
  console.log(room, figures, 'held at', CEILINGS[room]);
