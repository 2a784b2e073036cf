import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { temporaryFolder } from '../../../test/support/site.ts';
import { socketOf } from '../../platform/homePaths.ts';
import { addPortraitCommand } from './portrait.ts';

test('files that are no photo are listed with the reason, and the others measured', async (t) => {
  const home = temporaryFolder(t);
  writeFileSync(join(home, 'store.key'), '');
  const [text, missing, photo] = ['letter.txt', 'missing.jpg', 'face.jpg'].map((name) => join(home, name));
  writeFileSync(text!, 'Dear madam');
  writeFileSync(photo!, Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  const checks = [{ component: 'headSize', native: 0.45, value: 100 }];
  let refusal: object = { message: 'This file is no picture.' };
  const server = createServer((request, response) => {
    request.resume();
    const isPhoto = request.url?.endsWith('/portrait') === true;
    response.statusCode = isPhoto ? 200 : 422;
    response.end(JSON.stringify(isPhoto ? { refused: null, checks } : refusal));
  });
  await new Promise<void>((ready) => server.listen(socketOf(home), ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const shown: { photo?: string; refused?: string | null; checks?: object[] }[] = [];
  const run = (...photos: string[]) => {
    const program = new Command('vouch').exitOverride();
    const show = (value: object) => void shown.push(value);
    addPortraitCommand(program, { home: () => home, isJson: () => true, show, print: show });
    return program.parseAsync(['portrait', ...photos, '--company', 'Acme'], { from: 'user' });
  };
  await assert.rejects(run(text!, missing!, photo!), { exitCode: 3, message: /: 2 of 3\. / });
  assert.deepEqual(
    shown.map((each) => each.photo),
    [text, missing, photo],
  );
  assert.match(shown[0]?.refused ?? '', /picture/);
  assert.match(shown[1]?.refused ?? '', /no such file/);
  assert.deepEqual([shown[2]?.refused, shown[2]?.checks], [null, checks]);
  refusal = { message: 'There is no company named "Acme".', code: 'COMPANY_UNKNOWN' };
  await assert.rejects(run(text!, photo!), /no company named/);
});
