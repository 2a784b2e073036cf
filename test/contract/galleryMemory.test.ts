import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT } from '../../core/cli/output.ts';
import { run } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

test('how much of the exact vectors stays in memory is set at the terminal and survives', async (t) => {
  const home = temporaryFolder(t);
  const shown = async (...args: string[]) => {
    const { stdout, stderr } = await run(home, ['--json', 'gallery', 'memory', ...args]);
    return (JSON.parse(stdout || stderr) as { exactVectorsInMemory: string }).exactVectorsInMemory;
  };
  assert.equal(await shown('64'), '64 MiB');
  assert.equal(await shown(), '64 MiB');
  assert.equal(await shown('all'), 'all');
  const refused = await run(home, ['gallery', 'memory', 'plenty']);
  assert.equal(refused.code, EXIT.usage);
  assert.match(refused.stderr, /whole number/);
});
