import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { socketOf } from '../core/platform/homePaths.ts';
import { grantFolder, readQueue } from './localRequests.ts';
import { FolderBridge, type Asking } from './folderBridge.ts';

const SERVICE = 'http://127.0.0.1:4610';
const GRANT_ID = '7b0c6d1e-2f3a-4b5c-8d9e-0a1b2c3d4e5f';
const page = (url: string, parent: unknown = null): Asking => ({ senderFrame: { url, parent } });
const OWN = page(`${SERVICE}/enrol`);

function bridge(part: { address?: string; session?: string; chosen?: string } = {}) {
  const handed: object[] = [];
  const given = { address: SERVICE, session: 'token', chosen: '/media/camera', ...part };
  const made = new FolderBridge({
    address: () => given.address,
    session: () => Promise.resolve(given.session),
    dialog: () => Promise.resolve(given.chosen),
    grant: (folder) => {
      handed.push(folder);
      return Promise.resolve({ grantId: GRANT_ID });
    },
  });
  return { bridge: made, handed };
}

test("a chosen or dropped folder reaches the service with the operator's session", async () => {
  const { bridge: shell, handed } = bridge();
  assert.deepEqual(await shell.choose(OWN), { grantId: GRANT_ID });
  assert.deepEqual(await shell.offer(OWN, '/media/card'), { grantId: GRANT_ID });
  assert.deepEqual(handed, [
    { session: 'token', path: '/media/camera' },
    { session: 'token', path: '/media/card' },
  ]);
});

test('17: only the top frame of the service’s own pages may ask', async () => {
  const { bridge: shell, handed } = bridge();
  for (const asking of [
    page('https://example.org/'),
    page('http://127.0.0.1:4611/enrol'),
    page(`${SERVICE}@example.org/`),
    page('data:text/html,hello'),
    page(`${SERVICE}/enrol`, { url: SERVICE }),
    { senderFrame: null },
  ]) {
    await assert.rejects(shell.choose(asking), /Only pages of the service/);
    await assert.rejects(shell.offer(asking, '/etc'), /Only pages of the service/);
  }
  await assert.rejects(bridge({ address: undefined! }).bridge.choose(OWN), /Only pages of the service/);
  assert.deepEqual(handed, []);
});

test('no folder is granted without a choice, a session or a file of the system', async () => {
  assert.equal(await bridge({ chosen: undefined! }).bridge.choose(OWN), null);
  const { bridge: shell, handed } = bridge({ session: undefined! });
  assert.match(JSON.stringify(await shell.offer(OWN, '/media/card')), /FOLDER_SIGNED_OUT/);
  for (const path of ['', undefined, 7, ['/etc']])
    assert.match(JSON.stringify(await shell.offer(OWN, path)), /FOLDER_RELATIVE/);
  assert.deepEqual(handed, []);
});

/** A local socket that gives one answer. */
async function localSocket(
  t: TestContext,
  status: number,
  answer: unknown,
): Promise<{ socket: string; asked: unknown[] }> {
  const home = mkdtempSync(join(tmpdir(), 'vouch-socket-'));
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      asked.push([request.url, body]);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  const socket = socketOf(home);
  await new Promise<void>((ready) => server.listen(socket, ready));
  t.after(() => {
    server.close();
    rmSync(home, { recursive: true });
  });
  return { socket, asked };
}

test('a folder is granted through the local socket; a rejection has its code', async (t) => {
  const folder = { session: 'token', path: '/media/card' };
  const takes = await localSocket(t, 200, { grantId: GRANT_ID });
  assert.deepEqual(await grantFolder(takes.socket, folder), { grantId: GRANT_ID });
  assert.deepEqual(takes.asked, [['/api/dashboard/local/folders', folder]]);
  const refuses = await localSocket(t, 422, { message: 'in words', code: 'FOLDER_OF_VOUCH', parameters: {} });
  assert.deepEqual(await grantFolder(refuses.socket, folder), {
    refused: { code: 'FOLDER_OF_VOUCH', parameters: {} },
  });
  const nowhere = join(tmpdir(), 'vouch-no-socket', 'vouch.sock');
  assert.match(JSON.stringify(await grantFolder(nowhere, folder)), /FOLDER_SERVICE_SILENT/);
  assert.equal(await readQueue(nowhere), undefined);
});
