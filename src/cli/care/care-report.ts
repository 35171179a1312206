import type { CareReport, ReportedService, ReportedTotal } from '../../report/care-report.js';
import { RIPS_GROUPS, type RipsGroup } from '../../rips/groups.js';
import type { Journal } from '../../send/journal.js';
import { type CarePackage, runCare } from '../../send/rips/run-care.js';
import { add, type Decimal } from '../../values/decimal.js';
import { patientTable } from './patient-table.js';

interface Sum {
  packages: number;
  services: number;
  value: Decimal;
  readonly accepted: { services: number; value: Decimal };
}

const nothing = (): Sum => ({ packages: 0, services: 0, value: '0', accepted: { services: 0, value: '0' } });

/** Adds the services of a package, those of one group or all. */
function addTo(sum: Sum, { state, services }: CarePackage, group?: RipsGroup): void {
  let isIn = group === undefined;
  for (const { group: own, value = '0' } of services) {
    if (group !== undefined && own !== group) continue;
    isIn = true;
    for (const part of state === 'accepted' ? [sum, sum.accepted] : [sum]) {
      part.services += 1;
      part.value = add(part.value, value);
    }
  }
  if (isIn) sum.packages += 1;
}

/** One pass over the packages, for patients and totals alike. */
function tally(journal: Journal, run: string) {
  const patients = patientTable(journal);
  const all = nothing();
  const groups = new Map<RipsGroup, Sum>();
  for (const one of runCare(journal, run, false)) {
    patients.add(one);
    addTo(all, one);
    for (const group of new Set(one.services.map((service) => service.group))) {
      const sum = groups.get(group) ?? nothing();
      groups.set(group, sum);
      addTo(sum, one, group);
    }
  }
  const totals: ReportedTotal[] = RIPS_GROUPS.flatMap((group) => {
    const sum = groups.get(group);
    return sum === undefined ? [] : { group, ...sum, patients: patients.count(group) };
  });
  return { patients, totals: [...totals, { ...all, patients: patients.count() }] };
}

function* servicesOf(journal: Journal, run: string): Iterable<ReportedService> {
  for (const { services, document, number, state, cuv } of runCare(journal, run, true))
    for (const service of services)
      yield {
        ...service,
        patient: document,
        state,
        ...(number !== undefined && { number }),
        ...(cuv !== undefined && { cuv }),
      };
}

/** Patients, services and totals of a run, from the journal alone. */
export function careReportOf(journal: Journal, run: string): CareReport {
  let known: ReturnType<typeof tally> | undefined;
  const tallied = () => {
    known ??= tally(journal, run);
    return known;
  };
  return {
    patients: () => tallied().patients.all(),
    services: () => servicesOf(journal, run),
    totals: () => tallied().totals,
  };
}
