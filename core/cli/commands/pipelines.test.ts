import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thresholdNotices } from './pipelines.ts';

test('a change of pipeline says that measured thresholds stay behind: before the switch, and after it', () => {
  const notices = (serving: string, changingTo: string | null, measured: string[]) =>
    thresholdNotices({ company: 'Acme', serving, changingTo, measured });
  const [before, ...more] = notices('net/1', 'net/2', ['net/1']);
  assert.match(
    before!,
    /^Acme: .* count for net\/1 alone\. From the switch on those that ship with net\/2 count/,
  );
  assert.match(before!, /vouch calibrate PHOTOS --company "Acme" --apply$/);
  assert.deepEqual(more, []);
  assert.match(notices('net/2', null, ['net/1'])[0]!, /found with net\/1 and do not count for net\/2/);
  for (const silent of [
    notices('net/1', 'net/2', []),
    notices('net/1', 'net/2', ['net/1', 'net/2']),
    notices('net/1', null, ['net/1']),
    notices('net/2', 'net/1', ['net/1', 'net/2']),
  ])
    assert.deepEqual(silent, []);
});
