import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, Tensor } from '../../core/vision/nets/net.ts';
import { ByteNet, weightBytes } from './byte-net.ts';

test('two products fit into 16 bits, so processors without VNNI sum the same', () => {
  const filters = Float32Array.of(-3, 2.9, 1e-3, 0, 0, 0, 7, -7, 7);
  const { bytes, scales } = weightBytes(filters, 3);
  assert.deepEqual([...bytes], [-64, 62, 0, 0, 0, 0, 64, -64, 64]);
  assert.ok(Math.max(...bytes.map(Math.abs)) * 255 * 2 < 2 ** 15);
  assert.deepEqual([...scales], [Math.fround(3 / 64), 1, Math.fround(7 / 64)]);
});

test('a convolution in bytes gives its sums, negative ones as 0', async () => {
  const net = new ByteNet('one layer', [{ scale: 2, zero: 0 }]);
  // Outputs: half of red plus one, and minus blue; the matrix hands both on.
  const filters = { shape: [1, 1, 3, 2], values: Float32Array.of(0.5, 0, 0, 0, 0, -1) };
  const bias = Float32Array.of(1, 0);
  const map = net.convolution(net.image(1), { filters, bias, stride: 1, padding: 'valid' });
  net.meanOutput('out', net.relu(map), { shape: [2, 2], values: Float32Array.of(1, 0, 0, 1) });
  const session = await openSession(net.encode());
  const { out } = await session.run({ image: new Tensor('uint8', Uint8Array.of(100, 50, 30), [1, 1, 1, 3]) });
  assert.deepEqual([...(out!.data as Float32Array)], [52, 0]);
});

test('ranges that are not as many as the results are refused', () => {
  const range = { scale: 1, zero: 0 };
  assert.throws(() => new ByteNet('none', [range]).encode(), /more ranges than convolutions/);
  const net = new ByteNet('one', []);
  const map = net.image(1);
  assert.throws(() => net.add(map, map), /more convolutions and sums than ranges/);
});
