import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { confinementHere } from '../../workers/confinement/confinement.ts';

const NICE = spawnSync('nice', ['true']).status === 0 ? false : 'the system has no nice';
const PROGRAM = `
  import { createVision } from ${JSON.stringify(new URL('./vision.ts', import.meta.url).href)};
  const vision = await createVision({
    modelsFolder: ${JSON.stringify(join(import.meta.dirname, '..', '..', '..', 'models'))},
    workers: 1,
    onWorkerDeath: (reason) => console.error(reason),
  });
  await vision.search(new Uint8Array([0xff, 0xd8, 0xff, 0xd9]), { priority: 'interactive' });
  console.log(vision.workerStats().confinement);
  await vision.close();`;

test('workers of a service with low priority start confined', { skip: NICE }, () => {
  const { stdout, stderr } = spawnSync(
    'nice',
    ['-n', '19', process.execPath, '--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8', timeout: 120_000 },
  );
  assert.equal(stderr, '');
  assert.equal(stdout.trim(), confinementHere());
});
