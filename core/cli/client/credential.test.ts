import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import { LocalApi } from './localClient.ts';
import { credentialOptions, revokeLeftovers } from './credential.ts';
import { CliError } from '../terminal/output.ts';

test('a token file is read by its first line, and no message contains what it holds', (t) => {
  const tokenFile = join(temporaryFolder(t), 'token.txt');
  const given = (text: string) => {
    writeFileSync(tokenFile, text);
    return credentialOptions('home', { tokenFile }).token;
  };
  assert.equal(given('vouch_abc-1\r\nStore it now: it is not shown again.\n'), 'vouch_abc-1');
  for (const text of ['', 'vouch_abc vouch_def\n', 'vouch_äbc'])
    assert.throws(
      () => given(text),
      (error) => error instanceof CliError && !error.message.includes('vouch_'),
    );
});

test('only tokens of ended runs are revoked, not of running runs or other programs', async () => {
  const named = [
    'vouch enroll (process 999999999)',
    `vouch enroll (process ${process.pid})`,
    'gate 4 (process 999999999)',
  ];
  const row = { kind: 'token', state: 'active', scopes: [], userId: null, profile: null } as const;
  const times = { createdAt: '2026-01-01T00:00:00Z', expiresAt: null, revokedAt: null, lastUsedAt: null };
  const items = named.map((name, id) => ({ ...row, ...times, id, name }));
  const revoked: string[] = [];
  const api = new LocalApi(({ method, path }) => {
    if (method === 'POST') revoked.push(path);
    const body = Readable.from([Buffer.from(JSON.stringify({ items }))]);
    return Promise.resolve({ status: method === 'POST' ? 204 : 200, headers: {}, body });
  });
  await revokeLeftovers(api, 'Acme', 'vouch enroll');
  assert.deepEqual(revoked, ['/api/dashboard/credentials/token/0/revoke']);
});
