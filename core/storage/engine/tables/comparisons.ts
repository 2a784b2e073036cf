/** Comparisons of two images, signatures or faces, and of a signature with several known ones. */
import type { Generated } from 'kysely';
import type { CompanyId } from '../../../contracts/ids.ts';
import type { Verdict } from '../../../contracts/signatures.ts';
import type { ComparisonSubject } from '../../../domain/ports/comparisons.ts';
import type { Actor } from '../../../domain/ports/auditContext.ts';

interface ComparisonTable {
  id: Generated<number>;
  company_id: CompanyId;
  subject: ComparisonSubject;
  /** As the caller sent them. */
  template_id: string;
  verification_id: string;
  credential: Actor;
  compared_at: number;
  /** Null: inconclusive. */
  similarity: number | null;
  verdict: Verdict;
  /** JSON: why either image was inconclusive; of a known set they are in `known`. */
  reasons: string;
  /** The company's thresholds at that time. */
  match_from: number;
  possible_match_from: number;
  model_version: string;
  /** Of two images; null of a known set. */
  image1_sha256: string | null;
  image2_sha256: string | null;
  /** JSON: KnownSetRecord; null of two images. */
  known: string | null;
}

interface SignatureCalibrationTable {
  company_id: CompanyId;
  model_version: string;
  /** JSON: MeasuredSignatures. */
  measured: string;
  applied_at: number;
}

export interface ComparisonsTables {
  comparison: ComparisonTable;
  signature_calibration: SignatureCalibrationTable;
}
