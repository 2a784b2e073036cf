/** Face comparisons in the dashboard: numbers and references, never the images. */
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';
import { comparisonPage, comparisonRow } from './signatures.ts';

const reason = z.enum(FAILURE_CODES).optional();

export const faceComparisonPage = comparisonPage.extend({
  items: z.array(comparisonRow.extend({ reasons: z.object({ image1: reason, image2: reason }) })),
});
