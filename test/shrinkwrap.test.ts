import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../src/toolkit/core/package-file.js';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

const script = '../.ci/shrinkwrap.mjs';
const { shrinkwrapOf } = (await import(script)) as { shrinkwrapOf(lock: Lock): Lock };
const lock = JSON.parse(readFileSync(packageFile('package-lock.json'), 'utf8')) as Lock;
const { packages } = shrinkwrapOf(lock);

test('it pins what users install, by version and content', () => {
  const { '': own, ...others } = packages;
  expect(Object.keys(own!.dependencies!).filter((name) => !(`node_modules/${name}` in others))).toEqual([]);
  for (const [path, entry] of Object.entries(others)) {
    expect(entry).toMatchObject({ version: lock.packages[path]!.version, integrity: expect.any(String) });
    expect(entry.dev ?? false).toBe(false);
  }
  const needed = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  expect(Object.keys(packages)).toEqual(needed.map(([path]) => path));
});

test('neither it nor the lock file says where packages were fetched from', () => {
  const fetched = {
    packages: { 'node_modules/a': { version: '1.0.0', resolved: 'https://example.org/a.tgz' } },
  };
  expect(shrinkwrapOf(fetched).packages).toEqual({ 'node_modules/a': { version: '1.0.0' } });
  for (const all of [lock.packages, packages])
    expect(Object.values(all).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
