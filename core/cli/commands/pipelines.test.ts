import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thresholdNotices } from './pipelines.ts';

test('changing the pipeline warns that measured thresholds stay behind', () => {
  const notices = (serving: string, changingTo: string | null, measured: string[]) =>
    thresholdNotices({ company: 'Acme', serving, changingTo, measured });
  const [before, ...more] = notices('net/1', 'net/2', ['net/1']);
  assert.match(
    before!,
    /^Acme: .* apply to net\/1 only\. After the switch, the default thresholds of net\/2 apply/,
  );
  assert.match(before!, /vouch calibration measure PHOTOS --company "Acme" --apply$/);
  assert.deepEqual(more, []);
  assert.match(notices('net/2', null, ['net/1'])[0]!, /are for net\/1 and do not apply to net\/2/);
  for (const silent of [
    notices('net/1', 'net/2', []),
    notices('net/1', 'net/2', ['net/1', 'net/2']),
    notices('net/1', null, ['net/1']),
    notices('net/2', 'net/1', ['net/1', 'net/2']),
  ])
    assert.deepEqual(silent, []);
});
