import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { RunAdminCommand } from '../../contracts/admin/commands.ts';
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
  const revoked: number[] = [];
  const runAdminCommand = (command: string, input: object) => {
    if (command === 'api-token.revoke' && 'id' in input) revoked.push(Number(input.id));
    return Promise.resolve(named.map((name, id) => ({ id, name, revokedAt: null })));
  };
  await revokeLeftovers(runAdminCommand as RunAdminCommand, 'Acme', 'vouch enroll');
  assert.deepEqual(revoked, [0]);
});
