import type {
  ReportedPatient,
  ReportedService,
  ReportedTotal,
  RipsReport,
} from '../../../src/families/rips/report.js';

export const CUV = 'c0'.repeat(48);

export const patient = (more: Partial<ReportedPatient> = {}): ReportedPatient => ({
  document: 'CC 9800020000',
  name: 'Iván Núñez',
  packages: 2,
  services: 5,
  state: 'accepted',
  value: '98000',
  accepted: '38000',
  ...more,
});

export const service = (more: Partial<ReportedService> = {}): ReportedService => ({
  group: 'consultas',
  place: { file: 'consultas.csv', row: 12 },
  patient: 'CC 9800020000',
  code: '890206',
  date: '2026-10-01 07:20',
  value: '38000',
  number: 'RS-2026-10-0001',
  state: 'accepted',
  cuv: CUV,
  ...more,
});

export const total = (more: Partial<ReportedTotal> = {}): ReportedTotal => ({
  group: 'consultas',
  packages: 2,
  patients: 1,
  services: 3,
  value: '114000',
  accepted: { services: 2, value: '76000' },
  ...more,
});

export const ripsReport = (more: Partial<RipsReport> = {}): RipsReport => ({
  patients: () => [patient()],
  services: () => [service()],
  totals: () => [
    total(),
    { packages: 2, patients: 1, services: 3, value: '114000', accepted: total().accepted },
  ],
  ...more,
});
