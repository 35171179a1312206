import { stop } from '../toolkit/core/issue.js';

/**
 * Loads a package that only a database needs: `optional('pg', import('pg'))`.
 * @throws PipelineError('usage', journal/needs-package)
 */
export const optional = <T>(name: string, loading: Promise<T>): Promise<T> =>
  loading.catch((error) => stop('usage', { code: 'journal/needs-package', params: { list: name } }, error));
