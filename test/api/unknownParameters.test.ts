import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addOperator, ask, signIn } from './access/operators.ts';
import { openSite } from './site.ts';

const OF_DASHBOARD = [
  '/validations',
  '/audit',
  '/signatures',
  '/face-comparisons',
  '/persons',
  '/runs',
  '/failures',
  '/hits',
  '/duplicates/runs',
  '/duplicates/groups',
];
const OF_PROGRAMS = [
  '/api/v3/persons',
  '/api/v3/duplicate-detection/groups',
  '/api/v3/duplicate-detection/runs',
];

test('a mistyped filter is refused by name; the list without it is answered', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ada', 'admin');
  const cookie = await signIn(site, 'Ada');
  const answers = [
    ...OF_DASHBOARD.map((path) => ({ path, get: (from: string) => ask(site, 'GET', from, { cookie }) })),
    ...OF_PROGRAMS.map((path) => ({ path, get: (from: string) => site.call(from) })),
  ];
  for (const { path, get } of answers) {
    assert.equal((await get(path)).status, 200, path);
    const refused = await get(`${path}?limlt=5&untill=2026-01-01`);
    assert.equal(refused.status, 422, path);
    const { errors } = JSON.parse(refused.text) as { errors: Record<string, string[]> };
    assert.deepEqual(
      errors,
      Object.fromEntries(
        ['limlt', 'untill'].map((name) => [
          name,
          [`There is no parameter named ${name}. Correct its name, or leave it out.`],
        ]),
      ),
      path,
    );
  }
});

test('routes of the hosted service ignore an unknown parameter', async (t) => {
  const site = await openSite(t);
  for (const path of ['/health', '/api/v3/trust-validations', '/api/v3/biometric-blacklists'])
    assert.equal((await site.call(`${path}?probe=1`)).status, 200, path);
});
