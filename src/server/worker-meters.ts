import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { optional } from '../send/optional-package.js';
import { stop } from '../toolkit/core/issue.js';
import type { OutcomeState } from '../toolkit/schema/document.js';

export interface Meters {
  /** Adds documents that came into a state. */
  moved(state: OutcomeState, count: number): void;
  /** Adds the time of an answer of the service, in ms. */
  answered(ms: number, ok: boolean): void;
  /** Adds the wait of a request for the rate limiter, in ms. */
  waited(ms: number): void;
  /** Adds runs that were recovered from workers that died. */
  recovered(count: number): void;
  turn(end: string): void;
}

export const BACKLOG_STATES = ['planned', 'sending', 'pending', 'unknown'] as const;
export interface Standing {
  readonly active: number;
  /** Queued runs of all companies. */
  readonly waiting: number;
  /** Seconds since the oldest run that is handed over or being sent was planned; 0 if there is none. */
  readonly oldest: number;
  /** Documents of those runs without a final outcome, of all companies, by state. */
  readonly backlog: Readonly<Record<(typeof BACKLOG_STATES)[number], number>>;
  /** Runs of companies whose token this host lacks. */
  readonly withoutToken: number;
}

/** Metrics of a worker without a metrics port. */
export const NO_METERS: Meters = {
  moved: () => {},
  answered: () => {},
  waited: () => {},
  recovered: () => {},
  turn: () => {},
};

/** Bounds in seconds, for a slow government service. */
const LATENCIES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

function createMetrics(prometheus: typeof import('prom-client')) {
  const { Counter, Gauge, Histogram, Registry } = prometheus;
  const registry = new Registry();
  const registers = [registry];
  const moves = new Counter({
    name: 'cargue_document_transitions_total',
    help: 'Documents that this worker brought into a state',
    labelNames: ['state'],
    registers,
  });
  const backlog = new Gauge({
    name: 'cargue_backlog_documents',
    help: 'Documents of all companies without a final outcome, by state, from the database',
    labelNames: ['state'],
    registers,
  });
  const seconds = { buckets: LATENCIES, registers };
  const latency = new Histogram({
    name: 'cargue_request_duration_seconds',
    help: 'Time until the service answered a request',
    labelNames: ['ok'],
    ...seconds,
  });
  const limiterWaits = new Histogram({
    name: 'cargue_pace_wait_seconds',
    help: 'Waits of requests for their turn',
    ...seconds,
  });
  const takeovers = new Counter({
    name: 'cargue_takeovers_total',
    help: 'Runs brought back from a worker that was gone',
    registers,
  });
  const turns = new Counter({
    name: 'cargue_turns_total',
    help: 'Turns of runs, by how they ended',
    labelNames: ['end'],
    registers,
  });
  const GAUGES = {
    active: ['cargue_runs_active', 'Runs that this worker is sending'],
    waiting: ['cargue_runs_waiting', 'Runs that wait for a worker'],
    oldest: ['cargue_oldest_run_seconds', 'Age of the oldest unfinished run'],
    withoutToken: ['cargue_runs_without_token', 'Runs of companies whose token this machine lacks'],
  } as const;
  const gauges = Object.entries(GAUGES).map(
    ([key, [name, help]]) => [key as keyof typeof GAUGES, new Gauge({ name, help, registers })] as const,
  );
  return { registry, moves, backlog, latency, limiterWaits, takeovers, turns, gauges };
}

/**
 * Serves metrics for Prometheus on the loopback.
 * @throws PipelineError('usage', journal/needs-package, run/port-taken)
 */
export async function openMeters(
  port: number,
  standing: () => Promise<Standing>,
): Promise<Meters & { readonly url: string; close(): Promise<void> }> {
  const { default: prometheus } = await optional('prom-client', import('prom-client'));
  const { registry, moves, backlog, latency, limiterWaits, takeovers, turns, gauges } =
    createMetrics(prometheus);
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      const now = await standing();
      for (const [key, gauge] of gauges) gauge.set(now[key]);
      for (const state of BACKLOG_STATES) backlog.set({ state }, now.backlog[state]);
    } catch {
      for (const [, gauge] of gauges) gauge.set(Number.NaN); // the database is away
      for (const state of BACKLOG_STATES) backlog.set({ state }, Number.NaN);
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error) =>
    stop('usage', { code: 'run/port-taken', params: { port: String(port) } }, error),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    moved: (state, count) => moves.inc({ state }, count),
    answered: (ms, ok) => latency.observe({ ok: String(ok) }, ms / 1_000),
    waited: (ms) => limiterWaits.observe(ms / 1_000),
    recovered: (count) => takeovers.inc(count),
    turn: (end) => turns.inc({ end }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
