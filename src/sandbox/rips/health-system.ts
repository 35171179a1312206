import { createHash } from 'node:crypto';
import type { JsonObject } from '../../values/json.js';
import { bogota } from '../clock.js';
import type { ChosenVerdict } from '../verdict.js';
import type { RipsContext } from './context.js';
import { type Finding, shownFinding } from './finding.js';
import { brokenRules } from './national-rules.js';

/** The ministry's validator, as the service sees it (rips.md 5). */

/** What it makes of a package; its answer is in `result` either way. */
export interface Judgement {
  readonly processId: number;
  /** Only when the package is accepted. */
  readonly cuv?: string;
  readonly result: JsonObject;
}

type Chosen = Pick<ChosenVerdict, 'verdict' | 'rules'>;

/**
 * Not the ministry's formula, which is not published: SHA-384 of the package and the process, so that the same package
 * sent twice has two codes.
 */
const cuvOf = (sent: JsonObject, processId: number): string =>
  createHash('sha384')
    .update(JSON.stringify([sent, processId]))
    .digest('hex');

/** `sent` is the national JSON. */
export function validatePackage(
  { records, clock }: RipsContext,
  sent: JsonObject,
  chosen: Chosen | undefined,
): Judgement {
  const now = bogota(clock.now());
  const processId = records.nextProcess();
  if (isRefused(chosen)) return refusal(processId, arranged(sent, chosen));
  const findings = [...brokenRules(sent, now.date), ...arranged(sent, chosen)];
  if (findings.some(({ rejects }) => rejects)) return refusal(processId, findings);
  const cuv = cuvOf(sent, processId);
  return {
    processId,
    cuv,
    result: {
      ResultState: true,
      ProcesoId: processId,
      NumFactura: sent['numNota'] ?? null,
      CodigoUnicoValidacion: cuv,
      CodigoUnicoValidacionToShow: cuv,
      FechaRadicacion: `${now.date}T${now.time.slice(0, 8)}`,
      RutaArchivos: null,
      ResultadosValidacion: findings.map((finding) => shownFinding(finding, false)),
    },
  };
}

const refusal = (processId: number, findings: readonly Finding[]): Judgement => ({
  processId,
  result: {
    resultState: false,
    procesoId: processId,
    codigoUnicoValidacion: '-',
    resultadosValidacion: findings.map((finding) => shownFinding(finding, true)),
  },
});

const isRefused = (chosen: Chosen | undefined): boolean => chosen?.verdict.startsWith('reject') ?? false;

/** Findings decided by the person at the controls; they blame the first service as a whole. */
function arranged(sent: JsonObject, chosen: Chosen | undefined): readonly Finding[] {
  const [user] = sent['usuarios'] as JsonObject[];
  const [group] = Object.keys(user!['servicios'] as JsonObject);
  const path = group === undefined ? 'usuarios[0]' : `usuarios[0].servicios.${group}[0]`;
  const rejects = isRefused(chosen);
  return (chosen?.rules ?? []).map((rule) => ({ rule, path, value: undefined, rejects }));
}
