import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { temporaryFolder } from '../../../test/support/site.ts';
import { signatureSpecimen } from '../../contracts/persons.ts';
import { socketOf } from '../../platform/homePaths.ts';
import { addSpecimenCommands } from './persons.ts';

test('specimens added before a refused image are shown as one JSON value', async (t) => {
  const home = temporaryFolder(t);
  writeFileSync(join(home, 'store.key'), '');
  const images = ['one.png', 'two.png', 'three.png'].map((name) => join(home, name));
  for (const image of images) writeFileSync(image, 'an image');
  const at = '2026-01-02T03:04:05.000Z';
  const stored = [1, 2].map((id) =>
    signatureSpecimen.parse({
      id,
      sha256: 'ab',
      format: 'png',
      bytes: 8,
      addedAt: at,
      addedBy: 'local-admin',
    }),
  );
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    const answer = stored[asked++];
    response.statusCode = answer === undefined ? 422 : 200;
    response.end(JSON.stringify(answer ?? { message: 'Not a signature.' }));
  });
  await new Promise<void>((ready) => server.listen(socketOf(home), ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const shown: object[] = [];
  const program = new Command('person').exitOverride();
  const show = (value: object) => void shown.push(value);
  addSpecimenCommands(program, { home: () => home, isJson: () => true, show, print: show });
  const command = ['specimens', 'add', '7', ...images, '--company', 'Acme'];
  await assert.rejects(program.parseAsync(command, { from: 'user' }), /Not a signature/);
  assert.deepEqual(shown, [stored]);
});
