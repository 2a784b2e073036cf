/** The examples that the API access screen offers to paste, run as they stand against the real service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { SCOPES, type Scope } from '../../core/contracts/codes.ts';
import { EXAMPLE_LANGUAGES, exampleOf } from '../../renderer/screens/apiAccess/examples.ts';
import { groupsPage } from '../../core/contracts/duplicateGroups.ts';
import { TEST_ACT } from '../support/act.ts';
import { photoOf } from '../support/people.ts';
import { temporaryFolder } from '../support/site.ts';
import { openScreeningSite, type ScreeningSite } from './screeningSite.ts';
import { formOf, PNG } from './site.ts';

const run = promisify(execFile);
const EXPECTED: Record<Scope, RegExp> = {
  enroll: /"uploadId"/,
  'blacklists:read': /"name":"Barred"/,
  'blacklists:write': /"uploadId"/,
  verify: /"finalized":true/,
  signatures: /"similarity":80/,
  'duplicates:read': /"numberOfFaces":2/,
  'duplicates:review': /"state":"accepted"/,
  'duplicates:run': /"runId":2/,
  'persons:read': /"numberOfFaces":2/,
  'persons:write': /"externalId":"E-1183"/,
  'abis:read': /"MAIN"/,
  'abis:write': /"personId":"E-1184","encounterId":"validation-\d+"/,
  'abis:search': /"personId":"E-1184","rank":2/,
};
const TOKEN = { kind: 'token', userId: null, profile: null } as const;

for (const language of EXAMPLE_LANGUAGES)
  test(`the ${language} example of every scope works as it stands`, async (t) => {
    const opened = await openScreeningSite(t);
    const { site, newBlacklist, newFlow } = opened;
    await site.storage.companies.changeSettings(site.company.id, { osia: true }, TEST_ACT);
    const { group, face } = await duplicatesOf(t, opened);
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
      const text = exampleOf(language, scope, {
        address,
        subject: TOKEN,
        secret,
        flow,
        blacklist,
        group,
        face,
      });
      assert.match((await run('sh', ['-c', text], { cwd, env })).stdout, EXPECTED[scope], scope);
    }
    const compared = await site.storage.audit.list(site.company.id, {
      filter: { action: 'signature.compared' },
      limit: 9,
    });
    assert.equal(compared.length, 1, 'a comparison is in the audit log');
  });

/** Enrols two photos of one person and one of another; a run finds the group. */
async function duplicatesOf(t: TestContext, { site, work }: ScreeningSite) {
  const photos = [1, 1, 2].map((person, i) => ({ name: `${i}.jpg`, content: photoOf(person) }));
  assert.equal((await site.upload(formOf(...photos))).status, 202);
  await work();
  const { duplicateSearch } = site.engine;
  const choice = { mode: 'all', blacklists: [], oneIn: 1_000 } as const;
  await duplicateSearch.begin(site.company.id, choice, TEST_ACT);
  t.after(() => duplicateSearch.stop());
  duplicateSearch.start();
  await duplicateSearch.idle();
  const listed = await site.call('/api/v3/duplicate-detection/groups');
  const [found] = groupsPage.parse(listed.body).data;
  assert.ok(found !== undefined);
  return { group: { id: found.groupId, version: found.version }, face: Math.max(...found.faceIds) + 1 };
}

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
