import { join } from 'node:path';

/** Where the tables that were loaded on this machine lie. */
export const tableFolder = (workspace: string): string => join(workspace, 'catalogues');
