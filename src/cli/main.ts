#!/usr/bin/env node
import { expectShortLives } from '../toolkit/core/engine.js';
import { keepCompiled } from './compile-cache.js';
import { workspaceFolder } from './workspace.js';

expectShortLives();
keepCompiled(workspaceFolder(process.env), process.argv[2] ?? '');
// Loaded only now: V8 compiles it under the settings above.
void import('./process.js').then(({ runProcess }) => runProcess());
