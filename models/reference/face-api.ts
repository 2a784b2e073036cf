/** @vladmandic/face-api as its authors run it on Node, with TensorFlow.js on WebAssembly. */
import { createRequire, registerHooks } from 'node:module';
import { packagePath, startWasm, tf } from './tfjs.ts';

/** 8-bit RGB pixels, rows from the top. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

export interface StockFace {
  /** Pixels of the image. */
  box: { x: number; y: number; width: number; height: number };
  /** Of its SSD detector, 0 to 1. */
  score: number;
  descriptor: Float32Array;
}

export interface FaceApi {
  /** 128-D of a crop of 150 × 150, as its net takes it. */
  templateOfCrop(crop: Uint8Array): Promise<Float32Array>;
  /** SSD MobileNet (score ≥ 0.5, its default), 68 landmarks, its own alignment, 128-D: its documented path. */
  describeFaces(image: Pixels): Promise<StockFace[]>;
}

/** The part of the package's interface that is used here; its own types belong to another copy of TensorFlow.js. */
interface Package {
  nets: Record<
    'ssdMobilenetv1' | 'faceLandmark68Net' | 'faceRecognitionNet',
    { loadFromDisk: (folder: string) => Promise<void> }
  > & { faceRecognitionNet: { computeFaceDescriptor: (crop: object) => Promise<Float32Array> } };
  SsdMobilenetv1Options: new (options: { minConfidence: number }) => object;
  detectAllFaces: (
    image: object,
    options: object,
  ) => {
    withFaceLandmarks: () => {
      withFaceDescriptors: () => Promise<
        { detection: { box: StockFace['box']; score: number }; descriptor: Float32Array }[]
      >;
    };
  };
}

/** Loads face-api and its weights on the shared TensorFlow.js. */
export async function loadFaceApi(): Promise<FaceApi> {
  const faceApi = await loadPackage();
  const { nets } = faceApi;
  const models = packagePath('@vladmandic/face-api', '..', 'model');
  for (const net of [nets.ssdMobilenetv1, nets.faceLandmark68Net, nets.faceRecognitionNet])
    await net.loadFromDisk(models);
  const detector = new faceApi.SsdMobilenetv1Options({ minConfidence: 0.5 });

  return {
    templateOfCrop: (crop) =>
      withTensor({ data: crop, width: 150, height: 150 }, (tensor) =>
        nets.faceRecognitionNet.computeFaceDescriptor(tensor),
      ),
    describeFaces: (image) =>
      withTensor(image, async (tensor) => {
        const faces = await faceApi
          .detectAllFaces(tensor, detector)
          .withFaceLandmarks()
          .withFaceDescriptors();
        return faces.map(({ detection: { box, score }, descriptor }) => ({
          box: { x: box.x, y: box.y, width: box.width, height: box.height },
          score,
          descriptor,
        }));
      }),
  };
}

async function withTensor<T>(
  { data, width, height }: Pixels,
  work: (tensor: object) => Promise<T>,
): Promise<T> {
  const tensor = tf.tensor3d(Int32Array.from(data), [height, width, 3], 'int32');
  try {
    return await work(tensor);
  } finally {
    tensor.dispose();
  }
}

/**
 * The package's build for Node asks for the meta package `@tensorflow/tfjs`, of which it needs only the core, and
 * calls a few operations as methods of a tensor, which the meta package would add.
 */
async function loadPackage(): Promise<Package> {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === '@tensorflow/tfjs' ? '@tensorflow/tfjs-core' : specifier, context),
  });
  addMethods();
  await startWasm();
  return createRequire(import.meta.url)('@vladmandic/face-api/dist/face-api.node-wasm.js') as Package;
}

type Tensor = InstanceType<typeof tf.Tensor>;

/** The operations that face-api calls as methods. */
const METHODS = { add: tf.add, div: tf.div, mean: tf.mean, mul: tf.mul, sub: tf.sub };

function addMethods(): void {
  for (const [name, operation] of Object.entries(METHODS))
    Object.assign(tf.Tensor.prototype, {
      [name](this: Tensor, operand: Tensor & number[]) {
        return operation(this, operand);
      },
    });
  const shaped = function (this: Tensor, ...shape: number[]): Tensor {
    return tf.reshape(this, shape);
  };
  Object.assign(tf.Tensor.prototype, {
    as1D(this: Tensor) {
      return tf.reshape(this, [this.size]);
    },
    as2D: shaped,
    as3D: shaped,
    as4D: shaped,
  });
}
