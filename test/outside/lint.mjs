// What runs elsewhere and cannot be run here is linted: the action, its example, the Dockerfile.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../packed.mjs';
import { tool } from './tools.mjs';

tool();
const require = createRequire(import.meta.url);
const { validateAction, validateWorkflow } = require('@action-validator/core');
const { validate } = require('dockerfile-utils');
const read = (file) => readFileSync(join(root, file), 'utf8');

function must(file, faults) {
  if (faults.length > 0) throw new Error(`${file}: ${JSON.stringify(faults)}`);
  console.log(`ok: ${file}`);
}

must('action.yml', validateAction(read('action.yml')).errors);
const workflow = 'samples/integration/github/nomina.yml';
must(workflow, validateWorkflow(read(workflow)).errors);
must('Dockerfile', validate(read('Dockerfile')));

// A linter that would let anything pass is none.
if (validateAction('runs: 1').errors.length === 0) throw new Error('the linter of actions finds nothing');
if (validateWorkflow('jobs: 1').errors.length === 0) throw new Error('the linter of workflows finds nothing');
if (validate('FRM node\n').length === 0) throw new Error('the linter of Dockerfiles finds nothing');
