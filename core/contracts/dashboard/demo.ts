/** Demo photos: sample portraits with which a new company can try the product. */
import { z } from 'zod';

/** `GET /demo`, and the answer of `DELETE /demo`: demo photos that are not erased. */
export const demoState = z.object({ photos: z.number().int() });

/** A part of the query of an upload: the photos are demo photos, which `DELETE /demo` erases. */
export const demoMark = z.object({ demo: z.literal('true').optional() });
