import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { DiskFull } from '../../domain/ports/machine.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { PackageSpool } from './spool.ts';

test('a received package is kept down to the floor of the disk, and not below it', async (t) => {
  const folder = join(temporaryFolder(t), 'received');
  let floor = 0;
  const spool = await PackageSpool.open(folder, () => Promise.resolve(floor));
  const kept = await spool.keep(ReadableStream.from([Buffer.from('package')]), 100);
  assert.equal((await buffer(kept.read())).toString(), 'package');
  await kept.remove();

  const piece = Buffer.alloc(1024 * 1024);
  let pieces = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (; ; pieces += 1) {
      if (pieces === 20) floor = Infinity;
      yield await Promise.resolve(piece);
    }
  }
  await assert.rejects(spool.keep(endless(), 2 ** 30), DiskFull);
  assert.ok(pieces < 40, `${pieces} MiB were written`);
  assert.deepEqual(readdirSync(folder), []);
});
