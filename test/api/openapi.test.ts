import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { COMPANY_LIMITS } from '../../core/contracts/limits/limits.ts';
import { describedInterface } from '../../scripts/openapi/description.ts';
import { openSite } from './site.ts';

const project = join(import.meta.dirname, '../..');
const description = z.looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) });

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(project, path), 'utf8'));
}

test('the description at /openapi.json is the one in resources', async (t) => {
  const site = await openSite(t);
  const served = description.parse((await site.call('/openapi.json', { token: null })).body);
  assert.equal(served.openapi, '3.1.0');
  assert.equal(served.info.version, '1.0.0');
  assert.deepEqual(served, await readJson('resources/openapi.json'));
});

test('the description in resources is that of the interface (else: npm run openapi)', async () => {
  const described: unknown = JSON.parse(JSON.stringify(await describedInterface()));
  assert.deepEqual(await readJson('resources/openapi.json'), described);
});

test('the description in resources has at most 6,000 lines', async () => {
  const lines = (await readFile(join(project, 'resources/openapi.json'), 'utf8')).split('\n').length;
  assert.ok(lines <= 6000, `${lines} lines: name shared parts in scripts/openapi/operations.ts`);
});

test('the description allows as many images as the setting, and names it', async () => {
  const { components } = z
    .object({ components: z.object({ schemas: z.object({ ImageFormInput: z.unknown() }) }) })
    .parse(await readJson('resources/openapi.json'));
  const { most, least, default: usual } = COMPANY_LIMITS.maxBatchImages;
  const form = JSON.stringify(components.schemas.ImageFormInput);
  assert.match(form, new RegExp(`"maxItems":${most},`));
  assert.match(form, new RegExp(`Images per upload.*: ${usual} unless.*from ${least} to ${most}`));
});

test('the documentation page and everything it loads come from the service itself', async (t) => {
  const site = await openSite(t);
  const page = await site.call('/docs', { token: null });
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /https?:|unsafe/);
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
  assert.ok(loaded.length >= 5);
  for (const address of [...loaded, '/docs/json']) {
    assert.match(address, /^\/docs\//);
    const asset = await site.call(address, { token: null });
    assert.equal(asset.status, 200, address);
    assert.equal(asset.headers.get('content-security-policy'), policy);
  }
});
