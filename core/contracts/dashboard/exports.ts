/** The exports of the dashboard: files that it saves, pages that it prints. */
import { z } from 'zod';
import { uploadId } from '../ids.ts';

/** The kinds of things that are taken out; new ones join here. */
export const EXPORT_KINDS = [
  'uploadResults',
  'comparison',
  'validationList',
  'matchList',
  'blacklistFaces',
  'auditLog',
  'searchReport',
  'signatureReport',
  'erasureReceipt',
  'caseReport',
  'faceComparisonReport',
  'duplicateGroups',
  'duplicateGroupReport',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/**
 * `POST /exports`: sent before the page itself makes the file or prints, so that the export is recorded. It names the
 * records; the service looks them up and counts them. 204, or 404 when the company has none of them.
 */
export const exportNotice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('uploadResults'),
    /** The uploads whose results are in the file. */
    uploads: z.array(uploadId).min(1).max(20_000),
  }),
  z.object({
    kind: z.literal('comparison'),
    /** The record whose two images stand on the page. */
    object: z
      .string()
      .pipe(
        z.templateLiteral([
          z.enum(['validation', 'face', 'signatureComparison', 'faceComparison']),
          ':',
          z.string().regex(/^[1-9]\d{0,15}$/),
        ]),
      ),
  }),
]);
export type ExportNotice = z.infer<typeof exportNotice>;
