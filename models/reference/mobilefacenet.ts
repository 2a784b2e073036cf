/** MobileFaceNet layer by layer on TensorFlow.js, from the vendored weights: no layer joined with another. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeWeights } from '../convert/weights.ts';
import type { WeightEntry } from '../convert/weights.ts';
import { tf } from './tfjs.ts';

type Map4 = ReturnType<typeof tf.tensor4d>;

const BLOCKS = { 2: 5, 3: 1, 4: 6, 5: 1, 6: 2 } as const;
/** Stages whose first bottleneck halves the map: it has no way around. */
const HALVING = new Set(['2', '3', '5']);

/** @returns what gives the 192 numbers of a crop of 112 × 112 RGB bytes */
export async function loadLayers(): Promise<(crop: Uint8Array) => Float32Array> {
  const folder = join(import.meta.dirname, '..', 'vendor');
  const { weights: entries } = JSON.parse(await readFile(join(folder, 'mobilefacenet.json'), 'utf8')) as {
    weights: WeightEntry[];
  };
  const weights = decodeWeights(entries, await readFile(join(folder, 'mobilefacenet.bin')));
  const weight = (name: string) => {
    const { shape, values } = weights.get(name)!;
    return tf.tensor(values, [...shape]);
  };
  const pointwise = (map: Map4, name: string, stride = 1): Map4 =>
    tf.add(
      tf.conv2d(map, weight(`${name}/Conv2D_weights`) as Map4, stride, 'same'),
      weight(`${name}/Conv2D_bn_offset`),
    );
  const depthwise = (map: Map4, name: string, stride = 1, padding: 'same' | 'valid' = 'same'): Map4 =>
    tf.add(
      tf.depthwiseConv2d(map, weight(`${name}/depthwise_weights`) as Map4, stride, padding),
      weight(`${name}/depthwise_bn_offset`),
    );
  const bent = (map: Map4, name: string): Map4 => tf.prelu(map, weight(`${name}/slope`)) as Map4;

  return (crop) =>
    tf.tidy(() => {
      const pixels = Float32Array.from(crop, (value) => (value - 127.5) / 128);
      let map = bent(pointwise(tf.tensor4d(pixels, [1, 112, 112, 3]), 'Conv2d_0', 2), 'Conv2d_0');
      map = bent(depthwise(map, 'SeparableConv2d'), 'SeparableConv2d');
      map = pointwise(map, 'Conv');
      for (const [stage, count] of Object.entries(BLOCKS))
        for (let i = 0; i < count; i++) {
          const name = `Conv2d_${stage}_InvResBlock_${i}`;
          const halves = i === 0 && HALVING.has(stage);
          const wide = bent(pointwise(map, `${name}/Conv`), `${name}/Conv`);
          const deep = depthwise(wide, `${name}/SeparableConv2d`, halves ? 2 : 1);
          const narrow = pointwise(bent(deep, `${name}/SeparableConv2d`), `${name}/Conv_1`);
          map = halves ? narrow : tf.add(map, narrow);
        }
      map = bent(pointwise(map, 'Conv2d_7'), 'Conv2d_7');
      map = depthwise(map, 'Logits/SeparableConv2d', 1, 'valid');
      map = pointwise(pointwise(map, 'Logits/Conv'), 'Logits/LinearConv1x1');
      return Float32Array.from(map.dataSync());
    });
}
