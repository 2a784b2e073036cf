import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { z } from 'zod';
import { temporaryFolder } from '../../../test/support/site.ts';
import { JournalFile } from './journalFile.ts';

const MODULE = join(import.meta.dirname, 'journalFile.ts');
const HOMES = 30;
const APART_MS = 40;

test('commands that begin together in a new home use one key for the names of photos', async (t) => {
  const folder = temporaryFolder(t);
  const began = Date.now() + 1_500;
  const script = `import { PhotoNames } from ${JSON.stringify(MODULE)};
    for (let home = 0; home < ${HOMES}; home += 1) {
      while (Date.now() < ${began} + home * ${APART_MS});
      const names = await PhotoNames.of(${JSON.stringify(folder)} + '/' + home);
      console.log(names.nameOf('photo.jpg'));
    }`;
  const commands = [0, 1].map(() => {
    const command = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => command.kill());
    return command;
  });
  const [first, second] = await Promise.all(commands.map(({ stdout }) => text(stdout)));
  assert.equal(first?.split('\n').length, HOMES + 1);
  assert.equal(first, second);
});

test('a step that does not fit on the disk is not taken, and the journal is read again', async (t) => {
  const file = join(temporaryFolder(t), 'steps.jsonl');
  const script = `import { z } from 'zod';
    import { JournalFile } from ${JSON.stringify(MODULE)};
    let taken = 0;
    const steps = new JournalFile(process.argv[1], z.string(), () => { taken += 1; });
    try {
      for (;;) steps.append('x'.repeat(100));
    } catch {}
    console.log(taken);`;
  // Beyond the limit a write ends early, as on a full disk.
  const command = spawn(
    '/bin/sh',
    [
      '-c',
      'trap "" XFSZ; ulimit -f 2; exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '--eval',
    ].concat(script, file),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const taken = Number(await text(command.stdout));
  assert.ok(taken > 2);
  const read: string[] = [];
  new JournalFile(file, z.string(), (step) => read.push(step)).close();
  assert.equal(read.length, taken);
});
