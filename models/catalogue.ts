/** The nets we take from the packages: which of their files, what for, and how each becomes an ONNX file. */
import heads from '../core/vision/nets/heads.json' with { type: 'json' };
import type { ModelManifest, NetName } from '../core/vision/nets/manifest.ts';
import { convertGraph } from './convert/convert-graph.ts';
import type { ImageInput, NetOutput } from './convert/convert-graph.ts';
import { ByteNet } from './convert/byte-net.ts';
import { convertDlibResnet } from './convert/dlib-resnet.ts';
import { readGraphModel } from './convert/graph-model.ts';
import { convertMobileFaceNet } from './convert/mobilefacenet.ts';
import type { FeatureMap, Layers } from './convert/net-builder.ts';
import recognition from './convert/recognition.json' with { type: 'json' };
import { decodeWeights } from './convert/weights.ts';
import type { WeightEntry } from './convert/weights.ts';

type ManifestNet = ModelManifest['nets'][NetName];

export interface CatalogueNet {
  /** Where the files are: in this installed package, or in `vendor/` beside this file. */
  from: { package: string } | 'vendor';
  /** Paths there: the description, then the weights. */
  files: readonly [string, string];
  /** SPDX id, where it is not the package's own. */
  licence?: string;
  /** The maker of the net and its training data, as far as they are known. */
  origin: string;
  input: ManifestNet['input'];
  outputs: ManifestNet['outputs'];
  convert: (description: string, weights: Uint8Array) => Uint8Array;
}

const RGB_BYTES = 'rows of pixels: red, green, blue, 0–255';

function image(size: number): ManifestNet['input'] {
  return { name: 'image', type: 'uint8', shape: ['N', size, size, 3], meaning: RGB_BYTES };
}

function floats(name: string, shape: number[], meaning: string): ManifestNet['outputs'][number] {
  return { name, type: 'float32', shape: ['N', ...shape], meaning };
}

/** A net whose package describes it as a TensorFlow.js graph. */
function graphNet(title: string, input: ImageInput, outputs: readonly NetOutput[]): CatalogueNet['convert'] {
  return (description, weights) => convertGraph(title, readGraphModel(description, weights), input, outputs);
}

const BLAZEFACE_GRAPH = 'StatefulPartitionedCall/functional_1';
const BLAZEFACE_INPUT: ImageInput = { size: 256, offset: [127.5, 127.5, 127.5], scale: 1 / 127.5 };
/** What BlazeFace computes its scores and boxes from, 96 numbers for each of its 16 × 16 and 8 × 8 cells. */
const FEATURES = { 16: `${BLAZEFACE_GRAPH}/re_lu_30/Relu`, 8: `${BLAZEFACE_GRAPH}/re_lu_31/Relu` } as const;

/** BlazeFace as far as its features, `features16` and `features8`: what `research -- heads` fits. */
export const convertBlazeFaceFeatures = graphNet('BlazeFace features', BLAZEFACE_INPUT, [
  { name: 'features16', node: FEATURES[16], columns: 96 },
  { name: 'features8', node: FEATURES[8], columns: 96 },
]);

/** The 128-D net, built with these layers: in floats what `research -- ranges` observes and tests compare with. */
export function convertRecognition<M extends FeatureMap>(
  description: string,
  weights: Uint8Array,
  net: Layers<M>,
): Uint8Array {
  const [manifest] = JSON.parse(description) as [{ weights: WeightEntry[] }];
  return convertDlibResnet(decodeWeights(manifest.weights, weights), net);
}

export const CATALOGUE: Record<NetName, CatalogueNet> = {
  blazeface: {
    from: { package: '@vladmandic/human' },
    files: ['models/blazeface.json', 'models/blazeface.bin'],
    origin:
      'MediaPipe BlazeFace, back camera (google/mediapipe). Added: a layer for hidden heads, fitted by research/heads.',
    input: image(256),
    outputs: [
      floats('scores16', [512, 1], 'logit per anchor, 16 × 16 cells × 2'),
      floats('boxes16', [512, 16], 'centre, size and six points per anchor, pixels'),
      floats('scores8', [384, 1], 'logit per anchor, 8 × 8 cells × 6'),
      floats('boxes8', [384, 16], 'centre, size and six points per anchor, pixels'),
      floats('heads16', [256, heads.bias.length], 'first layer of the hidden heads, 16 × 16 cells'),
      floats('heads8', [64, heads.bias.length], 'first layer of the hidden heads, 8 × 8 cells'),
    ],
    convert: graphNet('BlazeFace', BLAZEFACE_INPUT, [
      { name: 'scores16', node: `${BLAZEFACE_GRAPH}/conv2d_33/BiasAdd`, columns: 1 },
      { name: 'boxes16', node: `${BLAZEFACE_GRAPH}/conv2d_35/BiasAdd`, columns: 16 },
      { name: 'scores8', node: `${BLAZEFACE_GRAPH}/conv2d_34/BiasAdd`, columns: 1 },
      { name: 'boxes8', node: `${BLAZEFACE_GRAPH}/conv2d_36/BiasAdd`, columns: 16 },
      { name: 'heads16', node: FEATURES[16], sums: heads.in16 },
      { name: 'heads8', node: FEATURES[8], sums: heads.in8 },
    ]),
  },
  facemesh: {
    from: { package: '@vladmandic/human' },
    files: ['models/facemesh.json', 'models/facemesh.bin'],
    origin: 'MediaPipe Face Mesh (google/mediapipe)',
    input: image(192),
    outputs: [
      floats('mesh', [468, 3], 'x, y in pixels of the image; z in the same unit, smaller is nearer'),
      floats('flag', [1, 1], 'probability that the image shows a face, 0–1'),
    ],
    convert: graphNet('Face Mesh', { size: 192, offset: [0, 0, 0], scale: 1 / 255 }, [
      { name: 'mesh', node: 'StatefulPartitionedCall/model_1/conv2d_21/BiasAdd', columns: 3 },
      { name: 'flag', node: 'StatefulPartitionedCall/model_1/activation_1/Sigmoid', columns: 1 },
    ]),
  },
  recognition: {
    from: { package: '@vladmandic/face-api' },
    files: ['model/face_recognition_model-weights_manifest.json', 'model/face_recognition_model.bin'],
    origin: 'dlib face recognition ResNet (davisking/dlib-models)',
    input: image(150),
    outputs: [floats('descriptor', [128], 'descriptor, not normalised')],
    convert: (description, weights) =>
      convertRecognition(description, weights, new ByteNet('face-api recognition', recognition.ranges)),
  },
  mobilefacenet: {
    from: 'vendor',
    files: ['mobilefacenet.json', 'mobilefacenet.bin'],
    licence: 'Apache-2.0',
    origin:
      'MobileFaceNet of sirius-ai/MobileFaceNet_TF: inferred from layer names, shapes and input, the package names no ' +
      'origin. Trained, by the word of that author, on MS1M-V2, photos of celebrities from the web. Changed: the sign ' +
      'of 33 PReLU slopes, 16 fused activations left out, weights rounded to 16-bit floats.',
    input: image(112),
    outputs: [floats('descriptor', [192], 'descriptor, not normalised')],
    convert: (description, weights) => {
      const { weights: entries } = JSON.parse(description) as { weights: WeightEntry[] };
      return convertMobileFaceNet(decodeWeights(entries, weights));
    },
  },
};
