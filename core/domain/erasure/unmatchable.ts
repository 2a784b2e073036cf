import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import { templateFault } from '../recognition/faceValidation.ts';
import { distanceOf } from '../recognition/distance.ts';
import type { Erasures } from '../../storage/erasure/erasures.ts';

/**
 * The stored faces near a probe that no search finds: of blacklists after their expiry, and of validations that are not
 * Verified. An erasure proposes all stored records of a person. They are compared one by one, page by page.
 * @param query the longest distance, and faces that are left out
 * @returns each face once, at its least distance
 */
export async function nearUnmatchable(
  { erasures, now }: { erasures: Pick<Erasures, 'unmatchable'>; now: Date },
  company: CompanyId,
  pipeline: PipelineId,
  { probes, maxDistance, except }: Query,
): Promise<Map<FaceId, number>> {
  const found = new Map<FaceId, number>();
  const [first] = probes;
  if (first === undefined) return found;
  for await (const page of erasures.unmatchable(company, pipeline, now))
    for (const { faceId, vector } of page) {
      // A damaged template can be erased; it resembles no other.
      if (except.has(faceId) || templateFault(vector, first.length) !== undefined) continue;
      const distance = Math.min(...probes.map((probe) => distanceOf(probe, vector)));
      if (distance <= maxDistance) found.set(faceId, distance);
    }
  return found;
}

interface Query {
  /** Templates of the pipeline. */
  probes: readonly Float32Array[];
  maxDistance: number;
  except: ReadonlySet<FaceId>;
}
