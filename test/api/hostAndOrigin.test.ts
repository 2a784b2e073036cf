/** The loopback listener. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRaw } from './rawRequest.ts';
import { FACES, openSite, type TestSite } from './site.ts';

function ask(site: TestSite, headers: Record<string, string>, method = 'GET', path = '/health') {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(site.port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

test('Host must be exactly 127.0.0.1:port or localhost:port, else 421', async (t) => {
  const site = await openSite(t);
  const { port } = site;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
    assert.equal((await ask(site, { Host: host })).status, 200, host);
  const foreign = [
    'rebound.example',
    `rebound.example:${port}`,
    '127.0.0.1',
    'localhost',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:${port}.`,
    `localhost.:${port}`,
    `LOCALHOST:${port}`,
    `[::1]:${port}`,
    `user@localhost:${port}`,
    `0.0.0.0:${port}`,
    '',
  ];
  for (const host of foreign) {
    const answer = await ask(site, { Host: host });
    assert.equal(answer.status, 421, host);
    assert.deepEqual(JSON.parse(answer.body), {
      success: false,
      message: 'Misdirected request.',
      code: 'MISDIRECTED',
    });
  }
  assert.equal((await ask(site, {})).status, 421, 'no Host at all');
  const two = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nhost: rebound.example\r\n\r\n`;
  assert.equal((await sendRaw(port, two)).status, 421, 'two of them');
  const Host = `127.0.0.1:${port}`;
  for (const target of [
    'http://rebound.example/health',
    `http://localhost:${port}/health`,
    `http://${Host}@rebound.example/health`,
    `https://${Host}/health`,
    `http://${Host}`,
  ])
    assert.equal((await ask(site, { Host }, 'GET', target)).status, 421, target);
  const own = await ask(site, { Host }, 'GET', `http://${Host}/api/v1/none`);
  assert.equal(own.status, 404);
  assert.ok('status' in JSON.parse(own.body), 'a target with the own host is its path');
});

test('two Authorization headers are refused, also when the first one is right', async (t) => {
  const { port, token } = await openSite(t);
  const asked = (second: string) =>
    sendRaw(
      port,
      `GET /api/v3/persons HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${second}\r\n`,
    );
  assert.notEqual((await asked('')).status, 401);
  assert.equal((await asked('authorization: Bearer other\r\n')).status, 401);
});

test('a foreign Origin gets 403; the own origin and no origin pass', async (t) => {
  const site = await openSite(t);
  const Host = `127.0.0.1:${site.port}`;
  const Authorization = `Bearer ${site.token}`;
  for (const Origin of [`http://127.0.0.1:${site.port}`, `http://localhost:${site.port}`])
    assert.equal((await ask(site, { Host, Origin })).status, 200, Origin);
  const foreign = [
    'https://evil.example',
    'null',
    '',
    'file://',
    `https://127.0.0.1:${site.port}`,
    'http://127.0.0.1',
    `http://localhost:${site.port}.evil.example`,
    `http://localhost:${site.port + 1}`,
  ];
  for (const Origin of foreign) {
    const read = await ask(site, { Host, Origin, Authorization });
    assert.equal(read.status, 403, Origin);
    const write = await ask(site, { Host, Origin, Authorization, 'Content-Length': '0' }, 'POST', FACES);
    assert.equal(write.status, 403, Origin);
  }
});

test('no answer allows another origin to read it', async (t) => {
  const site = await openSite(t);
  const Host = `127.0.0.1:${site.port}`;
  for (const [method, path] of [
    ['OPTIONS', FACES],
    ['GET', '/health'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
  ] as const) {
    const answer = await ask(site, { Host, Origin: `http://${Host}` }, method, path);
    assert.doesNotMatch(answer.head, /access-control/i, `${method} ${path}`);
    assert.match(answer.head, /x-content-type-options: nosniff/i);
    assert.match(answer.head, /content-security-policy: /i);
  }
});
