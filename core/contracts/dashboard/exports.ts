/** What the dashboard takes out of the installation: files that it saves, pages that it prints. */
import { z } from 'zod';

/** The kinds of things that are taken out; new ones join here. */
export const EXPORT_KINDS = [
  'uploadResults',
  'comparison',
  'auditLog',
  'searchReport',
  'signatureReport',
  'erasureReceipt',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** `POST /exports`: said before the file is made or the page printed, so that it is on the record. 204. */
export const exportNotice = z.object({
  kind: z.enum(EXPORT_KINDS),
  /** What it is of, e.g. `validation:12`. */
  object: z
    .string()
    .regex(/^[a-zA-Z]{1,40}:[\w-]{1,60}$/)
    .nullable(),
  /** How many things are in it. */
  rows: z.number().int().min(0),
});
export type ExportNotice = z.infer<typeof exportNotice>;
