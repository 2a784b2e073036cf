/** The run of a window: whose answers change it. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { newRun, patchItems, patchRun, runs } from '../../renderer/screens/enrol/run.ts';

test('an answer that comes when another run is shown changes nothing of it', () => {
  const files = [{ path: 'a.jpg', file: new File([], 'a.jpg') }];
  const cancelled = newRun(files, { kind: 'duplicate' });
  const shown = newRun(files, { kind: 'duplicate' });
  runs.setState({ run: shown });
  patchItems(cancelled, new Map([[0, { state: 'enrolled' }]]));
  patchRun(cancelled, { held: 'The disk is full.' });
  assert.equal(runs.getState().run, shown);
  patchItems(shown, new Map([[0, { state: 'enrolled' }]]));
  assert.equal(runs.getState().run?.items[0]?.state, 'enrolled');
});
