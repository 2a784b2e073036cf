/** The examples that the API access screen offers to paste, run as they stand against the real service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { SCOPES, type Scope } from '../../core/contracts/codes.ts';
import { EXAMPLE_LANGUAGES, exampleOf } from '../../renderer/screens/apiAccess/examples.ts';
import { photoOf } from '../support/people.ts';
import { temporaryFolder } from '../support/site.ts';
import { openScreeningSite } from './screeningSite.ts';
import { PNG } from './site.ts';

const run = promisify(execFile);
const EXPECTED: Record<Scope, RegExp> = {
  enroll: /"uploadId"/,
  'blacklists:read': /"name":"Barred"/,
  'blacklists:write': /"uploadId"/,
  verify: /"finalized":true/,
  signatures: /"similarity":80/,
};
const TOKEN = { kind: 'token', userId: null, profile: null } as const;

for (const language of EXAMPLE_LANGUAGES)
  test(`the ${language} example of every scope works as it stands`, async (t) => {
    const { site, newBlacklist, newFlow } = await openScreeningSite(t);
    const [flow, { id: blacklist }] = [await newFlow(), await newBlacklist('Barred')];
    const { address } = site;
    const cwd = temporaryFolder(t);
    for (const name of ['photo.jpg', 'selfie.jpg']) await writeFile(join(cwd, name), photoOf(1));
    await writeFile(join(cwd, 'first.png'), Buffer.concat([PNG.subarray(0, 8), Buffer.from('80 a')]));
    await writeFile(join(cwd, 'second.png'), Buffer.concat([PNG.subarray(0, 8), Buffer.from('80 b')]));
    const { VOUCH_TOKEN: _token, PATH, ...environment } = process.env;
    const env = { ...environment, PATH: [dirname(process.execPath), PATH].join(delimiter) };
    for (const scope of SCOPES) {
      const secret = await site.newToken({ scopes: [scope] });
      const text = exampleOf(language, scope, { address, subject: TOKEN, secret, flow, blacklist });
      assert.match((await run('sh', ['-c', text], { cwd, env })).stdout, EXPECTED[scope], scope);
    }
    const compared = await site.storage.audit.list(site.company.id, {
      filter: { action: 'signature.compared' },
      limit: 9,
    });
    assert.equal(compared.length, 1, 'a comparison is in the audit log');
  });

test('an example holds a placeholder once the secret is no longer on the screen', () => {
  const [address, userId] = ['http://127.0.0.1:4610', 'u-1'];
  for (const language of EXAMPLE_LANGUAGES) {
    const ofToken = exampleOf(language, 'enroll', { address, subject: TOKEN });
    assert.match(ofToken, /^export VOUCH_TOKEN=PASTE_THE_TOKEN_HERE\n/);
    const key = { kind: 'key', userId, profile: 'v2' } as const;
    const ofKey = exampleOf(language, 'enroll', { address, subject: key });
    assert.match(ofKey, /^export VOUCH_SECRET=PASTE_THE_SECRET_HERE$/m);
  }
});
