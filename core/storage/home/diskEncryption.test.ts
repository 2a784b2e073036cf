import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import { isDeviceEncrypted } from './homeInspection.ts';

/** A folder as Linux shows a block device. */
function device(
  t: TestContext,
  facts: { uuid?: string; slaves?: Record<string, string>; loop?: boolean } = {},
): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'slaves'));
  if (facts.uuid !== undefined) {
    mkdirSync(join(folder, 'dm'));
    writeFileSync(join(folder, 'dm', 'uuid'), `${facts.uuid}\n`);
  }
  if (facts.loop === true) mkdirSync(join(folder, 'loop'));
  for (const [name, target] of Object.entries(facts.slaves ?? {}))
    symlinkSync(target, join(folder, 'slaves', name));
  return folder;
}

test('a device is encrypted when dm-crypt stands between it and every disk beneath', async (t) => {
  const plain = device(t);
  const crypt = device(t, { uuid: 'CRYPT-LUKS2-0123-data', slaves: { sda1: plain } });
  const volume = device(t, { uuid: 'LVM-abcd', slaves: { 'dm-0': crypt } });
  const mixed = device(t, { uuid: 'LVM-efgh', slaves: { 'dm-0': crypt, sdb1: plain } });
  assert.equal(await isDeviceEncrypted(plain), false);
  assert.equal(await isDeviceEncrypted(crypt), true);
  assert.equal(await isDeviceEncrypted(volume), true);
  assert.equal(await isDeviceEncrypted(mixed), false);
});

test('nothing is claimed about a device that the system does not describe', async (t) => {
  assert.equal(await isDeviceEncrypted(join(temporaryFolder(t), 'none')), undefined);
  assert.equal(await isDeviceEncrypted(device(t, { loop: true })), undefined);
});
