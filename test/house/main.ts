/** `npm run house`: prints what a reader of the sources has to hold in the head, and the longest functions. */
import { CEILINGS } from './ceilings.js';
import { longestFunctions, measureHouse } from './figures.js';
import { measureRun } from './run.js';

const figures = { ...measureHouse(), ...(await measureRun()) };
for (const [name, value] of Object.entries(figures)) {
  const ceiling = CEILINGS[name];
  console.log(
    `${value.toLocaleString('en').padStart(8)}  ${name}${ceiling === undefined ? '' : ` (held at ${ceiling.toLocaleString('en')})`}`,
  );
}
console.log('\nlongest functions');
for (const { name, path, lines } of longestFunctions(15))
  console.log(`${String(lines).padStart(8)}  ${name} in ${path}`);
