import type { FaceImage, ScoreInterpretation } from '../../../core/contracts/dashboard/faceImages.ts';
import { bySeverity, ofTexts, type ListingText, type Severity } from '../../../core/contracts/faceListing.ts';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';

/** A duplicate or blacklist entry as the screens list it. */
export interface Match extends Record<ListingText, string | null> {
  key: string;
  kind: 'duplicate' | 'blacklist';
  name: string;
  /** The blacklist's name; null for a duplicate. */
  list: string | null;
  /** Of the face of the blacklist when it matched; null: a duplicate. */
  severity: Severity | null;
  /** The Blacklist Face Upload ID, or the other Trust Validation's. */
  id: number;
  reading: ScoreInterpretation;
  faceImage: FaceImage;
  /** The earlier selfie that matched; null: the one that the validation shows. */
  earlierSelfie: FaceImage | null;
}

/** Blacklist hits before duplicates: strong hits by severity, then each nearest first. */
export function matchesOf({ duplicates, blacklists }: ValidationDetail): Match[] {
  const nearest = (one: Match, other: Match) => other.reading.score - one.reading.score;
  const bySeverityThenNearest = (one: Match, other: Match) => {
    const strong = one.reading.band === 'strong' && other.reading.band === 'strong';
    const urgent = strong ? bySeverity(one.severity ?? undefined, other.severity ?? undefined) : 0;
    return urgent === 0 ? nearest(one, other) : urgent;
  };
  const listed = blacklists.map(
    ({ blacklistId, blacklistName, fullName, blacklistFaceUploadId, ...shown }): Match => ({
      key: `b${blacklistId}-${blacklistFaceUploadId}`,
      kind: 'blacklist',
      name: fullName,
      list: blacklistName,
      id: blacklistFaceUploadId,
      ...shown,
    }),
  );
  const others = duplicates.map(({ trustValidationId, name, ...shown }): Match => ({
    key: `d${trustValidationId}`,
    kind: 'duplicate',
    name,
    list: null,
    severity: null,
    ...ofTexts(() => null),
    id: trustValidationId,
    ...shown,
  }));
  return [...listed.sort(bySeverityThenNearest), ...others.sort(nearest)];
}
