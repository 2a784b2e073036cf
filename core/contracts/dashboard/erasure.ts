/** Erasing a person, and rules of how long things are kept, as the dashboard asks for them. */
import { z } from 'zod';
import {
  COPY_POLICIES,
  erasureChoice,
  erasureSummary,
  signedReceipt,
  type ErasureSelection,
} from '../erasure.ts';
import { retentionRules } from '../retention.ts';
import { REPORT_LANGUAGES } from './search.ts';

/** `POST /erasures/plan`: answers a plan; changes nothing. */
export const erasurePlanRequest = z.object({ choice: erasureChoice });

/** `POST /erasures`: 409 when the plan of this code is another one by now. */
export const erasureRequest = z.object({
  choice: erasureChoice,
  code: z.string().max(40),
  copies: z.enum(COPY_POLICIES),
});
/** As the dashboard sends it. */
export type ErasureRequest = Omit<z.input<typeof erasureRequest>, 'choice'> & { choice: ErasureSelection };

/** `signed` is null while something keeps the erasure from being finished: a backup that is being made, say. */
export const erasureAnswer = z.object({ id: z.uuid(), signed: signedReceipt.nullable() });
export type ErasureAnswer = z.infer<typeof erasureAnswer>;

/** `byName`: who that is today; null for a program, the administrator, the service, and a removed operator. */
export const erasureRow = erasureSummary.extend({ byName: z.string().nullable() });
export type ErasureRow = z.infer<typeof erasureRow>;
/** `GET /erasures`, newest first. */
export const erasureList = z.object({ items: z.array(erasureRow) });
/** `POST /erasures/verify`: whether this installation signed a receipt, and it says what it said then. */
export const receiptVerdict = z.object({ ours: z.boolean() });
/** `POST /erasures/{id}/report`: the receipt as a PDF. */
export const receiptReportRequest = z.object({ language: z.enum(REPORT_LANGUAGES).default('en') });

/** `POST /retention/preview`, and with the preview's code `PUT /retention`. */
export const retentionPreviewRequest = z.object({ rules: retentionRules });
export const retentionRequest = z.object({ rules: retentionRules, code: z.string().max(40) });
