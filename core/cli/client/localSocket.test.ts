import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { Agent, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { sendThroughSocket } from './localSocket.ts';

const REQUEST = { method: 'GET', path: '/', headers: {} };

/** Longer than the limit that the test sets, so a request under this limit fails. */
const ANSWER_AFTER_MS = 200;
const SHORT_MS = 20;

/** A socket that answers every command late. */
async function slowSocket(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-socket-'));
  const socket = join(folder, 'admin.sock');
  const server = createServer((_request, response) => {
    setTimeout(() => response.end('{"done":true}'), ANSWER_AFTER_MS);
  });
  await new Promise<void>((ready) => server.listen(socket, ready));
  t.after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  return socket;
}

test('a command without a time limit waits longer than the process-wide limit', async (t) => {
  const socket = await slowSocket(t);
  // Node gives up on a silent request after 5 seconds by default.
  const { globalAgent } = http;
  http.globalAgent = new Agent({ keepAlive: true, timeout: SHORT_MS });
  t.after(() => {
    http.globalAgent = globalAgent;
  });
  const { status, body } = await sendThroughSocket(socket, REQUEST);
  assert.deepEqual([status, await json(body)], [200, { done: true }]);
});

test('a command with a time limit fails after it', async (t) => {
  const socket = await slowSocket(t);
  await assert.rejects(sendThroughSocket(socket, REQUEST, SHORT_MS), /No answer within 20 ms\./);
});
