import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastValues } from '../../src/app/last-params.js';
import type { HomeView, UploadView } from '../../src/page/api.js';
import { processMark } from '../../src/toolkit/core/process-mark.js';
import { serve } from './browser.js';
import { visit } from './visit.js';

test('language, company and what was given are there at the next start, the demonstration apart', async () => {
  const params = { issue_date: '2026-10-31', professionals: [{ document: '52123456', name: 'Ana' }] };
  const first = await serve();
  const visitor = await visit(first.link);
  expect((await visitor<HomeView>('GET', '/home')).profile).toBe('');
  await visitor('PUT', '/preferences', { language: 'en', profile: 'acme' });
  const { id } = await visitor<UploadView>('POST', '/uploads', {});
  await visitor('PUT', `/uploads/${id}/params`, params);
  const demo = await visitor<UploadView>('POST', '/uploads', { demo: true });
  await visitor('PUT', `/uploads/${demo.id}/params`, { issue_date: '2020-01-01' });
  await first.kill('SIGHUP'); // its window was closed
  expect(readdirSync(join(first.workspace, 'web'))).toEqual(['preferences.json']);
  const ofOne = (mark: string) => join(first.workspace, 'web', mark);
  const left = ofOne(processMark().replace(`-${process.pid}-`, '-999999999-'));
  const elsewhere = ofOne('00000000-999999999-00000000'); // of another machine that has the folder too
  for (const folder of [left, elsewhere]) mkdirSync(folder);

  const second = await serve({ workspace: first.workspace });
  const again = await visit(second.link);
  expect((await again<HomeView>('GET', '/home')).profile).toBe('acme');
  const { workspace } = first;
  expect((await lastValues({ workspace }, {})).params).toEqual(params);
  expect(await lastValues({ workspace, profile: { name: 'other' } }, {})).toEqual({});
  expect(await again.text('/..')).toContain('<html lang="en">');
  expect([left, elsewhere].map(existsSync)).toEqual([false, true]);
  await second.kill();
  for (const file of ['web/preferences.json', 'params.json']) {
    const { mode } = statSync(join(first.workspace, file));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
  }
});
