#!/usr/bin/env node
import { expectShortLives } from '../toolkit/core/engine.js';
import { keepCompiled } from './compile-cache.js';
import { workspaceFolder } from './workspace.js';

expectShortLives();
keepCompiled(workspaceFolder(process.env), process.argv[2] ?? '');
// What is loaded from here on is compiled under these settings.
void import('./process.js').then(({ runProcess }) => runProcess());
