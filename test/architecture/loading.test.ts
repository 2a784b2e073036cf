import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { socketOf } from '../../core/platform/homePaths.ts';
import { temporaryFolder } from '../support/site.ts';

const CLI = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');
const HOOK = pathToFileURL(join(import.meta.dirname, '..', 'support', 'loadedPackages.mjs')).href;

/** Runs a command. A service is ended as soon as it listens. @returns the packages that its process loaded */
async function packagesOf(...line: string[]): Promise<string[]> {
  const command = spawn(process.execPath, ['--import', HOOK, CLI, ...line], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('"address":')) command.kill('SIGTERM');
  });
  const [printed] = await Promise.all([text(command.stderr), once(command, 'close')]);
  assert.equal(command.exitCode, 0, printed);
  return z.array(z.string()).parse(JSON.parse(printed.trim().split('\n').at(-1)!));
}

/** A home on which a service appears to run, which has no companies. */
async function homeWithService(t: TestContext): Promise<string> {
  const home = temporaryFolder(t);
  writeFileSync(join(home, 'lock'), '');
  const service = createServer((_request, response) => {
    response.end('[]');
  });
  service.listen(socketOf(home));
  await once(service, 'listening');
  t.after(() => service.close());
  return home;
}

test('the version is printed without a package but the reader of the command line', async () => {
  assert.deepEqual(await packagesOf('--version'), ['commander']);
});

test('a command to a running service loads neither the database nor the server', async (t) => {
  const home = await homeWithService(t);
  assert.deepEqual(await packagesOf('--home', home, 'company', 'list'), ['commander', 'zod']);
});

test('a command without a service loads the driver of SQLite alone', async (t) => {
  const home = temporaryFolder(t);
  const loaded = await packagesOf('--home', home, 'company', 'create', 'Acme');
  assert.ok(loaded.includes('better-sqlite3-multiple-ciphers'), loaded.join(' '));
  assert.deepEqual(
    loaded.filter((name) => /^pg\b/.test(name)),
    [],
  );
});

test('a service on SQLite loads no package that only some requests or sites need', async (t) => {
  const loaded = await packagesOf('--home', temporaryFolder(t), '--json', 'serve', '--port', '0');
  assert.ok(loaded.includes('fastify'), loaded.join(' '));
  const others =
    /^(pg\b|@aws|@smithy|@cornerstonejs|@fastify.(static|swagger)|@peculiar|@rgrove|@stomp|fontkit|glob|onnxruntime|pdfkit|prom-client|sharp|yaml)/;
  assert.deepEqual(
    loaded.filter((name) => others.test(name)),
    [],
  );
});
