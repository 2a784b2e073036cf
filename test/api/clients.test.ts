/** The signing clients that are handed out, run as a customer runs them against the real service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { run as vouch, startService } from '../support/serviceProcess.ts';
import { photoOf } from '../support/people.ts';
import { openScreeningSite } from './screeningSite.ts';
import { newSigner } from './signing.ts';
import { JPEG, PNG, openSite } from './site.ts';

const clients = join(import.meta.dirname, '../../resources/clients');
const run = promisify(execFile);
const RUNNERS: Record<string, string[]> = {
  'Node client': [process.execPath, join(clients, 'vouch-client.mjs')],
  'Python client': ['python3', join(clients, 'vouch_client.py')],
  'curl and openssl client': ['sh', join(clients, 'vouch-client.sh')],
};

async function photos(t: TestContext): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-client-'));
  t.after(() => rm(folder, { recursive: true }));
  const paths = [join(folder, 'Zoë "one".jpg'), join(folder, 'two.png')];
  await writeFile(paths[0]!, Buffer.concat([JPEG, Buffer.alloc(300_000, 0x0a)]));
  await writeFile(paths[1]!, PNG);
  return paths;
}

for (const [name, [program, ...script]] of Object.entries(RUNNERS))
  test(`the ${name} enrols files and polls them, and says when it is refused`, async (t) => {
    const site = await openSite(t);
    site.setTime(new Date());
    const { key, secret } = await newSigner(site);
    const call = (as: string, ...args: string[]) =>
      run(program!, [...script, ...args], {
        env: { ...process.env, VOUCH_URL: site.address, VOUCH_USER_ID: key.userId, VOUCH_SECRET: as },
      });
    const files = await photos(t);

    const receipt = JSON.parse((await call(secret, 'enroll', ...files)).stdout) as {
      data: { uploadId: string };
    };
    const [first] = await site.storage.queue.lease(1);
    assert.equal(first?.fileName, 'Zoë "one".jpg');
    const image = await site.storage.images.read(site.company.id, first.imageId);
    assert.equal(image?.content.length, JPEG.length + 300_000);

    const { data } = JSON.parse((await call(secret, 'poll', receipt.data.uploadId)).stdout) as {
      data: { numberOfImages: number };
    };
    assert.equal(data.numberOfImages, 2);
    await assert.rejects(call(`${secret}x`, 'poll', receipt.data.uploadId), (error: { stdout: string }) =>
      error.stdout.includes('Unauthenticated.'),
    );
  });

for (const [name, [program, ...script]] of Object.entries(RUNNERS))
  test(`the ${name} verifies, compares and signs by profile v2`, async (t) => {
    const { site, newFlow } = await openScreeningSite(t);
    site.setTime(new Date());
    const flow = await newFlow();
    const folder = await mkdtemp(join(tmpdir(), 'vouch-client-'));
    t.after(() => rm(folder, { recursive: true }));
    const [one, other] = [join(folder, 'a.jpg'), join(folder, 'b.jpg')];
    await writeFile(one, photoOf(1));
    await writeFile(other, photoOf(2));
    const call = async (credential: Record<string, string>, ...args: string[]) => {
      const { VOUCH_TOKEN: _token, ...env } = process.env;
      const { stdout } = await run(program!, [...script, ...args], {
        env: { ...env, VOUCH_URL: site.address, ...credential },
      });
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const token = { VOUCH_TOKEN: site.token };
    assert.equal((await call(token, 'verify', String(flow), one)).status_message, 'VERIFIED');
    assert.equal((await call(token, 'face', one, other)).match_status, 'not_matched');
    assert.equal((await call(token, 'signature', one, other)).status, true);
    const { key, secret } = await newSigner(site, { profile: 'v2' });
    const signed = { VOUCH_USER_ID: key.userId, VOUCH_SECRET: secret, VOUCH_PROFILE: 'v2' };
    assert.equal((await call(signed, 'face', one, one)).match_status, 'matched');
    const { data } = await call(signed, 'enroll', folder);
    assert.equal((data as { numberOfImages: number }).numberOfImages, 2, 'a folder stands for its photos');
  });

test('a key that the command makes works in every client, until the command revokes it', async (t) => {
  const home = join(await mkdtemp(join(tmpdir(), 'vouch-client-home-')), 'home');
  t.after(() => rm(join(home, '..'), { recursive: true, force: true }));
  const service = await startService(home, 0, 1, { VOUCH_PIPELINE: 'light' });
  t.after(() => service.kill());
  const owner = async <T>(...args: string[]) => {
    const { code, stdout, stderr } = await vouch(home, ['--json', ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  };
  await owner('company', 'create', 'Acme');
  const wanted = ['--company', 'Acme', '--name', 'gate', '--scope', 'enroll'];
  const key = await owner<{ userId: string; secret: string }>('signing-key', 'create', ...wanted);
  const files = await photos(t);
  const call = ([program, ...script]: string[], ...args: string[]) =>
    run(program!, [...script, ...args], {
      env: {
        ...process.env,
        VOUCH_URL: service.address,
        VOUCH_USER_ID: key.userId,
        VOUCH_SECRET: key.secret,
      },
    });
  const uploads: string[] = [];
  for (const runner of Object.values(RUNNERS)) {
    const receipt = JSON.parse((await call(runner, 'enroll', ...files)).stdout) as {
      data: { uploadId: string };
    };
    uploads.push(receipt.data.uploadId);
    const { data } = JSON.parse((await call(runner, 'poll', receipt.data.uploadId)).stdout) as {
      data: { numberOfImages: number };
    };
    assert.equal(data.numberOfImages, 2);
  }
  const [listed] = await owner<{ id: number }[]>('signing-key', 'list', '--company', 'Acme');
  await owner('signing-key', 'revoke', String(listed?.id), '--company', 'Acme');
  for (const [index, runner] of Object.values(RUNNERS).entries())
    await assert.rejects(call(runner, 'poll', uploads[index]!), (error: { stdout: string }) =>
      error.stdout.includes('Unauthenticated.'),
    );
});
