import { trusted } from '../contracts/ids.ts';

/**
 * The ids of the built-in pipelines: detector, mesh fit, alignment, resampling, networks and fusion. A change of one of them that
 * moves descriptors changes the id, and stored templates are extracted again from their images.
 */
export const PIPELINES = {
  /** Both nets: the highest accuracy of these weights. */
  full: trusted.pipeline('blaze-mesh68-area-mirror.d128+mobile/2'),
  /** MobileFaceNet alone, for weak machines and very large galleries: half the numbers per face. */
  light: trusted.pipeline('blaze-mesh68-area-mirror.mobile/1'),
} as const;
export type PipelineName = keyof typeof PIPELINES;

/** Whether a built-in pipeline has this name. */
export function isPipelineName(name: string | undefined): name is PipelineName {
  return name !== undefined && Object.hasOwn(PIPELINES, name);
}
