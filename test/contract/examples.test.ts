/** The examples that the API access screen offers to paste, run as they stand against the real service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Scope } from '../../core/contracts/codes.ts';
import {
  EXAMPLE_LANGUAGES,
  exampleOf,
  type ExampleLanguage,
} from '../../renderer/screens/apiAccess/examples.ts';
import { temporaryFolder } from '../support/site.ts';
import { JPEG, openSite, PNG } from './site.ts';

const run = promisify(execFile);
const PROGRAMS: Record<ExampleLanguage, (text: string) => [string, string[]]> = {
  curl: (text) => ['sh', ['-c', text]],
  Node: (text) => [process.execPath, ['--input-type=module', '--eval', text]],
  Python: (text) => ['python3', ['-c', text]],
};

for (const language of EXAMPLE_LANGUAGES)
  test(`the ${language} examples work as they stand`, async (t) => {
    const site = await openSite(t);
    const cwd = temporaryFolder(t);
    await writeFile(join(cwd, 'photo.jpg'), JPEG);
    await writeFile(join(cwd, 'first.png'), Buffer.concat([PNG.subarray(0, 8), Buffer.from('80 a')]));
    await writeFile(join(cwd, 'second.png'), Buffer.concat([PNG.subarray(0, 8), Buffer.from('80 b')]));
    for (const [scope, expected] of [
      ['enroll', /"uploadId"/],
      ['verify', /"success":true/],
      ['signatures', /"similarity":80/],
    ] as const satisfies readonly (readonly [Scope, RegExp])[]) {
      const subject = { kind: 'token', scopes: [scope], userId: null } as const;
      const [program, args] = PROGRAMS[language](exampleOf(language, site.address, subject));
      const env = { ...process.env, VOUCH_TOKEN: await site.newToken({ scopes: [scope] }) };
      assert.match((await run(program, args, { cwd, env })).stdout, expected, scope);
    }
    const compared = await site.storage.audit.list(site.company.id, {
      filter: { action: 'signature.compared' },
      limit: 9,
    });
    assert.equal(compared.length, 1, 'a comparison is on the record');
  });
