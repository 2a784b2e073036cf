/** A comparison of two signatures and its examination, with stored pictures. */
import type { CompanyId } from '../../core/contracts/ids.ts';
import type { Storage } from '../../core/storage/index.ts';
import { TEST_ACT } from './act.ts';

/** @param names of the files, which stand in the examination @param content of both files */
export async function examineSignatures(
  storage: Storage,
  company: CompanyId,
  names: readonly [string, string],
  content: Uint8Array,
) {
  const comparison = await storage.comparisons.record(company, {
    ...{ templateId: 'a', verificationId: 'b', credential: 'service', at: TEST_ACT.at, similarity: 90 },
    ...{ verdict: 'MATCH', thresholds: { match: 80, possibleMatch: 60 }, modelVersion: 'one' },
    ...{ reasons: {}, sha256: { image1: 'a'.repeat(64), image2: 'b'.repeat(64) } },
  });
  const stored = async (name: string) => ({
    image: await storage.images.write(company, 'png', ReadableStream.from([content])),
    ...{ name, width: 90, height: 40 },
  });
  const pair = [await stored(names[0]), await stored(names[1])] as const;
  const id = await storage.examinations.beginSignatures(company, { comparison, pair }, TEST_ACT);
  return { comparison, id, images: pair.map(({ image }) => image) };
}
