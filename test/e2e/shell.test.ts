/** The service as the desktop shell starts, supervises and ends it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { test } from 'node:test';
import { withAnyLocalApi } from '../../core/cli/client/localClient.ts';
import { UPLOAD_STATUS } from '../../core/contracts/codes.ts';
import { addressIn } from '../support/serviceProcess.ts';
import { portrait } from '../support/facePhotos.ts';
import { temporaryFolder } from '../support/site.ts';
import { createToken } from '../../core/domain/credentials/secrets.ts';
import { CRYPTO } from '../../core/platform/platform.ts';

const CLI = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');

test('the service ends cleanly with the shell in mid-batch and continues at next start', async (t) => {
  const home = join(temporaryFolder(t), 'home');
  const begin = async () => {
    const args = [CLI, '--home', home, '--json', 'serve', '--port', '0', '--workers', '1'];
    const program = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, VOUCH_PIPELINE: 'light' },
    });
    t.after(() => program.kill('SIGKILL'));
    const address = await addressIn(program.stdout!);
    const letGo = async () => {
      const gone = once(program, 'exit');
      program.disconnect();
      assert.deepEqual(await gone, [0, null]);
    };
    return { address, letGo };
  };
  const first = await begin();
  const { token, hex } = createToken(CRYPTO);
  await withAnyLocalApi(home, async (api) => {
    await api.open('POST /local/companies', { body: { name: 'Acme' } });
    const body = { kind: 'token', name: 'desk', scopes: ['enroll'], hash: hex };
    await api.open('POST /local/credentials', { company: 'Acme', body });
  });
  const form = new FormData();
  for (const person of [0, 1, 2, 3])
    form.append('images[]', new Blob([await portrait(person)]), `person ${person}.jpg`);
  const path = '/api/v3/duplicate-detection';
  const headers = { authorization: `Bearer ${token}` };
  const sent = await fetch(`${first.address}${path}/faces`, { method: 'POST', body: form, headers });
  assert.equal(sent.status, 202);
  const { data } = (await sent.json()) as { data: { uploadId: string } };
  await first.letGo();
  await assert.rejects(fetch(first.address));

  const second = await begin();
  const ended = await until(async () => {
    const polled = await fetch(`${second.address}${path}/uploads/${data.uploadId}`, { headers });
    // A service that just started may ask to come again.
    if (polled.status === 503) return false;
    assert.equal(polled.status, 200);
    const { data: now } = (await polled.json()) as { data: { status: number; succeededCount: number } };
    return now.status !== UPLOAD_STATUS.Processing && now;
  }, 'the end of the upload');
  assert.equal(ended.succeededCount, 4);
  await second.letGo();
});
