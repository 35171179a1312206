// What the README and samples/integration promise to other people's programs, run with the packed package as they would.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { npm, pack, root, run } from './packed.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cargue-samples-'));
const CUNE = /^NOM1 [0-9a-f]{96}$/m;

function must(condition, what) {
  if (!condition) throw new Error(what);
  console.log(`ok: ${what}`);
}

/** A sandbox of the installed command, and how to end it. */
async function sandbox(cli) {
  const child = spawn(process.execPath, [cli, 'sandbox', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout }))
    return { ...JSON.parse(line), end: () => child.kill() };
}

try {
  const samples = join(folder, 'integration');
  cpSync(join(root, 'samples', 'integration'), samples, { recursive: true });
  const app = join(samples, 'typescript');
  run(app, npm, ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', pack(folder)]);
  must(CUNE.test(run(app, npm, ['start', '--silent']).said), 'the TypeScript app sends a payroll');

  const block = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'README.md'), 'utf8'))[1];
  writeFileSync(join(app, 'readme.ts'), block);
  cpSync(join(samples, 'patient.json'), join(app, 'patient.json'));
  const tsc = join(app, 'node_modules', 'typescript', 'bin', 'tsc');
  run(app, tsc, ['readme.ts', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']);
  must(
    run(app, join(app, 'readme.js'), []).said.includes('201'),
    "the README's program compiles and creates a patient",
  );

  if (spawnSync('python3', ['-c', 'import jsonschema']).status !== 0)
    console.log('skipped: this machine has no Python with jsonschema');
  else {
    const box = await sandbox(join(app, 'node_modules', 'cargue', 'dist', 'cli', 'main.js'));
    const send = (file) =>
      spawnSync('python3', ['../python/send.py', '--url', box.url, '--token', box.token, file], {
        cwd: app,
        encoding: 'utf8',
      });
    const good = send('../payroll.json');
    const wrong = JSON.parse(readFileSync(join(samples, 'payroll.json'), 'utf8'));
    writeFileSync(
      join(app, 'wrong.json'),
      JSON.stringify({ ...wrong, worker: { ...wrong.worker, salary: 'mucho' } }),
    );
    const bad = send('wrong.json');
    box.end();
    must(good.status === 0 && CUNE.test(good.stdout), `the Python script sends a payroll ${good.stderr}`);
    must(bad.status === 1 && bad.stderr.includes('$.worker.salary'), 'and names the field of a wrong one');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
