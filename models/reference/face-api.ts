/** @vladmandic/face-api as its authors run it on Node with TensorFlow.js on WebAssembly. */
import { createRequire, registerHooks } from 'node:module';
import { packagePath, startWasm, tf } from './tfjs.ts';

type FaceApi = typeof import('@vladmandic/face-api');

/**
 * Loads face-api on the shared TensorFlow.js. Its build asks for the meta package `@tensorflow/tfjs`, of which it
 * needs only the core, and calls a few operations as methods of a tensor, which the meta package would add.
 */
export async function loadFaceApi(): Promise<FaceApi> {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === '@tensorflow/tfjs' ? '@tensorflow/tfjs-core' : specifier, context),
  });
  addMethods();
  await startWasm();
  return createRequire(import.meta.url)('@vladmandic/face-api/dist/face-api.node-wasm.js') as FaceApi;
}

/** Where the package keeps its weights. */
export const FACE_API_MODELS = packagePath('@vladmandic/face-api', '..', 'model');

type Tensor = InstanceType<typeof tf.Tensor>;

function addMethods(): void {
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
    div(this: Tensor, by: Tensor) {
      return tf.div(this, by);
    },
    sub(this: Tensor, other: Tensor) {
      return tf.sub(this, other);
    },
    mean(this: Tensor, axes: number[]) {
      return tf.mean(this, axes);
    },
  });
}
