import { readFileSync } from 'node:fs';

/** The ready-made mapping and the sample's parameters, as the measured program gets them. */
export const WIDE = 'mappings/payroll/wide.yaml';
export const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<
  string,
  unknown
>;
