import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';

const PROGRAM = `
  const { writeFileSync } = await import('node:fs');
  const { writeAtomically } = await import(process.argv[1]);
  await writeAtomically(process.argv[2], async (partial) => {
    writeFileSync(partial, 'a part');
    process.stdout.write('begun');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
`;

test('a signal that ends a command leaves no unfinished file behind', async (t) => {
  const file = join(temporaryFolder(t), 'site.vouch');
  const program = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    PROGRAM,
    join(import.meta.dirname, 'atomicWrite.ts'),
    file,
  ]);
  await once(program.stdout, 'data');
  assert.ok(existsSync(`${file}.partial`));
  program.kill('SIGTERM');
  assert.deepEqual(await once(program, 'exit'), [null, 'SIGTERM']);
  assert.deepEqual([existsSync(file), existsSync(`${file}.partial`)], [false, false]);
});
