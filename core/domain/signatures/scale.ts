/** The scale of a company: similarities of the matcher moved so that both fixed points mean there what they should. */
import type { MeasuredSignatures } from '../../contracts/signatureCalibration.ts';

/** From a similarity of the matcher to one of the company, both 0 to 100. */
export type SignatureScale = (similarity: number) => number;

export const SHIPPED_SCALE: SignatureScale = (similarity) => similarity;

/**
 * The line through (0, 0), both fixed points and (100, 100): the order of similarities stays.
 * @param fixedPoints none: the shipped scale
 */
export function scaleThrough(fixedPoints: MeasuredSignatures['fixedPoints']): SignatureScale {
  if (fixedPoints.length === 0) return SHIPPED_SCALE;
  const points = [
    { from: 0, to: 0 },
    ...fixedPoints.map(({ similarity, score }) => ({ from: similarity, to: score })),
    { from: 100, to: 100 },
  ];
  return (similarity) => {
    const above = points.findIndex(({ from }, i) => i > 0 && similarity <= from);
    const [left, right] = [points[above - 1]!, points[above]!];
    const part = (similarity - left.from) / (right.from - left.from);
    // Rounded down: a similarity under a fixed point stays under it. The addend is more than a double's rounding error here.
    return Math.floor((left.to + part * (right.to - left.to)) * 100 + 1e-9) / 100;
  };
}
