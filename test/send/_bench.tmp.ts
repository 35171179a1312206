import { spawn } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createClient } from '../../src/client/client.ts';
import { openJournal } from '../../src/send/journal.ts';
import { spoolRun } from '../../src/send/spool.ts';
import { sendRun } from '../../src/send/send.ts';
import { PAYROLL } from '../../src/send/payroll-kind.ts';
import { noDocuments, noRecords } from '../../src/document/accounting.ts';
import { Agent, request } from 'undici';
import fs from 'node:fs';
const N = Number(process.argv[2] ?? 20000), delay = process.argv[3] ?? '0', C = Number(process.argv[4] ?? 64), xml = process.argv[5] ?? '0';
const truth = JSON.parse(fs.readFileSync('/work/shared/inputs/p1-wide-simple/truth.json', 'utf8')).documents[0];
delete truth.consecutive;
const doc = (i: number) => ({ ...truth, worker: { ...truth.worker, identification_number: 9000100000 + i } });
const child = spawn('node', ['/tmp/snd/server.mjs', delay, xml], { stdio: ['ignore', 'pipe', 'inherit'] });
const port = await new Promise<string>((r) => child.stdout.once('data', (d) => r(String(d).trim())));
const url = `http://127.0.0.1:${port}`;
async function undiciLoop() {
  const agent = new Agent({ connections: C });
  let next = 0, ok = 0; const c0 = process.cpuUsage();
  const t = performance.now();
  await Promise.all(Array.from({ length: C }, async () => {
    while (next < N) {
      const i = next++;
      const r = await request(`${url}/api/ubl2.1/payroll`, { dispatcher: agent, method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer x' }, body: JSON.stringify({ ...doc(i), consecutive: i }) });
      const body: any = JSON.parse(await r.body.text());
      if (body.ResponseDian) ok++;
    }
  }));
  const s = (performance.now() - t) / 1000;
  await agent.close();
  const u = process.cpuUsage(c0); console.log(`undici loop: ${(N / s).toFixed(0)}/s cpu ${((u.user+u.system)/N).toFixed(0)}`);
  return N / s;
}
async function ours() {
  rmSync('/tmp/snd/j', { recursive: true, force: true });
  const journal = openJournal('/tmp/snd/j/journal.db');
  const trace = new Map(Array.from({ length: 40 }, (_, k) => [`/accrued/x${k}`, [{ file: 'nomina.xlsx', sheet: 'Nómina', row: 7, column: 'AB', label: 'SUELDO BASICO' }]] as const));
  async function* envelopes() {
    for (let i = 0; i < N; i += 100) yield Array.from({ length: 100 }, (_, k) => ({ sequence: i + k + 1, key: String(9000100000 + i + k), name: 'Ana', schema: 'payroll/payroll' as const, document: doc(i + k) as never, trace, hash: createHash('sha256').update(String(i + k)).digest('hex') }));
  }
  let t = performance.now();
  const spooled = await spoolRun({ journal, kind: PAYROLL, meta: { company: '1', url, inputs: [], params: {}, versions: {} }, envelopes: envelopes(), closing: () => ({ records: noRecords(), documents: noDocuments(), defaults: {}, issues: [], skipped: [] }) });
  console.log(`spool ${(N / (performance.now() - t) * 1000).toFixed(0)}/s`, spooled.totals.net, (statSync('/tmp/snd/j/journal.db').size / 1e6).toFixed(1) + ' MB');
  const client = createClient({ url, token: 'x', maxConnections: C });
  t = performance.now();
  const cpu = process.cpuUsage();
  const r = await sendRun({ journal, run: spooled.run, client, kind: PAYROLL, policy: { concurrency: C } });
  const s = (performance.now() - t) / 1000;
  const used = process.cpuUsage(cpu);
  console.log(`send ${(N / s).toFixed(0)}/s`, JSON.stringify(r), 'cpu us/doc', ((used.user + used.system) / N).toFixed(0), 'rss', (process.memoryUsage().rss / 1e6).toFixed(0));
    await client.close(); journal.close();
  return N / s;
}
for (let k = 0; k < Number(process.argv[6] ?? 1); k++) { const b = await undiciLoop(); const o = await ours(); console.log('ratio', (o / b).toFixed(2)); }
child.kill();
