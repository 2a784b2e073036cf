/**
 * HSE-FaceRes of @vladmandic/human: no part of the product. One of its axes orders people by looks that the nets of the
 * product take for a person, so the direction that MobileFaceNet's descriptor loses is fitted along it, and groups of
 * people are measured along it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnailToImage, mirror } from '../../core/vision/alignment.ts';
import { compose } from '../../core/vision/geometry.ts';
import type { ImageView } from '../../core/vision/imageView.ts';
import type { MeshedFace } from '../../core/vision/mesh.ts';
import { openSession, Tensor } from '../../core/vision/nets/net.ts';
import { convertGraph } from '../../models/convert/convert-graph.ts';
import { readGraphModel } from '../../models/convert/graph-model.ts';
import { packagePath } from '../../models/reference/tfjs.ts';

const SIZE = 224;
export const FACERES_LENGTH = 1024;
/** It was trained on looser crops than dlib's, with more of the forehead. */
const WIDTHS = [1.2, 1.467] as const;
const LIFT = 0.03;
/** Channel means of the VGGFace data, as the net was trained. */
const INPUT = { size: SIZE, offset: [123.68, 116.779, 103.939], scale: 1, bgr: true } as const;

/** @returns what the net says of a face: 1024 numbers, 0 to 6, the mean over a straight view and a mirrored one */
export async function loadFaceres(): Promise<(view: ImageView, face: MeshedFace) => Promise<Float32Array>> {
  const folder = packagePath('@vladmandic/human', '..', 'models');
  const model = readGraphModel(
    await readFile(join(folder, 'faceres.json'), 'utf8'),
    await readFile(join(folder, 'faceres.bin')),
  );
  const output = { name: 'descriptor', node: 'conv_pw_13_relu/clip_by_value', mean: true } as const;
  const session = await openSession(convertGraph('HSE-FaceRes', model, INPUT, [output]));
  const moved = { a: 1, b: 0, tx: 0, ty: -LIFT * SIZE };
  return async (view, face) => {
    const [first, second] = WIDTHS.map((width) =>
      view.sample(compose(thumbnailToImage(face, SIZE, width), moved), SIZE, SIZE),
    );
    const crops = new Uint8Array([...first!.data, ...mirror(second!).data]);
    const { descriptor } = await session.run({ image: new Tensor('uint8', crops, [2, SIZE, SIZE, 3]) });
    const numbers = descriptor!.data as Float32Array;
    return Float32Array.from(
      { length: FACERES_LENGTH },
      (_, i) => (numbers[i]! + numbers[FACERES_LENGTH + i]!) / 2,
    );
  };
}
