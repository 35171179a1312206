import { defineConfig, mergeConfig } from 'vitest/config';
import { configOf } from '../vitest.config.js';

/** The tests as they are; on the first run each file notes what it covers. */
const config = configOf();
const cover = process.env['CARGUE_MUTATION_COVER'] !== undefined;
const projects = (config.test?.projects ?? []).map((project) =>
  cover ? mergeConfig(project as object, { test: { setupFiles: ['test/mutation/cover.ts'] } }) : project,
);

export default defineConfig({ ...config, test: { ...config.test, projects } });
