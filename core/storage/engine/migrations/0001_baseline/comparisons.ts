/** Comparisons of two images, signatures or faces, and of a signature with several known ones. The images are not kept, only the hashes of their files. */
import { table, key, integer, text, real } from '../table.ts';
import type { CompanyId } from '../../../../contracts/ids.ts';
import type { Verdict } from '../../../../contracts/signatures.ts';
import type { ComparisonSubject } from '../../../../domain/ports/comparisons.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';
export const comparisons = {
  comparison: table(
    {
      id: key(),
      company_id: integer<CompanyId>('references company (id)'),
      subject: text<ComparisonSubject>("check (subject in ('signature', 'face'))"),
      /** As the caller sent them. */
      template_id: text(),
      verification_id: text(),
      credential: text<Actor>(),
      compared_at: integer(),
      /** Null: inconclusive. */
      similarity: real.orNull(),
      verdict: text<Verdict>(),
      /** JSON: why either image was inconclusive; of a known set they are in `known`. */
      reasons: text(),
      /** The company's thresholds at that time. */
      match_from: real(),
      possible_match_from: real(),
      model_version: text(),
      /** Of two images; null of a known set. */
      image1_sha256: text.orNull(),
      image2_sha256: text.orNull(),
      /** JSON: KnownSetRecord; null of two images. */
      known: text.orNull(),
    },
    ['check ((known is null) = (image1_sha256 is not null and image2_sha256 is not null))'],
  ),
  // Error rates that were measured on the company's own signatures. The signatures are not kept.
  signature_calibration: table(
    {
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      model_version: text(),
      /** JSON: MeasuredSignatures. */
      measured: text(),
      applied_at: integer(),
    },
    ['primary key (company_id, model_version)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const comparisonsIndexes: readonly string[] = [
  `create index comparison_recent on comparison (company_id, subject, id)`,
  `create index comparison_credential on comparison (company_id, subject, credential, id)`,
  `create index comparison_template on comparison (company_id, template_id, id)`,
  `create index comparison_verification on comparison (company_id, verification_id, id)`,
  `create index comparison_day on comparison (company_id, compared_at)`,
];
