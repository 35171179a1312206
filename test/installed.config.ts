import { configOf } from './vitest.config.js';

export default configOf('installed');
