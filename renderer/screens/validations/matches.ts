import type { TFunction } from 'i18next';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { firstOfEach } from '../../../core/contracts/dashboard/searchView.ts';
import { ERASED_NAME } from '../../../core/contracts/erasure.ts';
import type { FaceImage, ScoreInterpretation } from '../../../core/contracts/dashboard/faceImages.ts';
import { bySeverity, ofTexts, type ListingText, type Severity } from '../../../core/contracts/faceListing.ts';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import type { PersonMatch } from '../../../core/contracts/validations.ts';
import { verificationName } from '../../../core/contracts/verifications.ts';
import type { chosenAppearance } from '../../../core/contracts/dashboard/session.ts';
import { DEFAULT_LISTS, type ListChoice } from '../../../core/contracts/dashboard/lists.ts';
import { appearanceQuery } from '../../api/session.ts';

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
  personMatch: PersonMatch;
  /** Of the person. */
  reading: ScoreInterpretation;
  faceImage: FaceImage;
  /** The earlier selfie that matched; null: the one that the validation shows. */
  earlierSelfie: FaceImage | null;
}

/** Blacklist hits before duplicates: strong hits by severity, then each nearest first. */
export function matchesOf({ duplicates, blacklists }: ValidationDetail): Match[] {
  const nearest = (one: Match, other: Match) =>
    other.reading.score - one.reading.score ||
    other.personMatch.photoSimilarityScore - one.personMatch.photoSimilarityScore;
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

/** Matching persons: the first photo of each in each list. */
export function personsOf(detail: ValidationDetail): Match[] {
  return firstOfEach(matchesOf(detail), ({ id, personMatch, list }) => ({
    faceId: id,
    personId: personMatch.id,
    list,
  }));
}

/** The name of a Trust Validation; one without a name of its own is named by its number, in the reader's language. */
export function validationName(t: TFunction, { id, name }: { id: number; name: string }): string {
  return name === verificationName(id) ? t('validations.unnamed', { id }) : name;
}

/** The name of a face that matched, in the reader's language. @param validation the number of its own; null: it is of a blacklist */
export function faceName(t: TFunction, name: string, validation: number | null): string {
  if (name === ERASED_NAME) return t('face.erasedName');
  return validation === null ? name : validationName(t, { id: validation, name });
}

export function matchName(t: TFunction, { kind, name, id }: Pick<Match, 'kind' | 'name' | 'id'>): string {
  return faceName(t, name, kind === 'duplicate' ? id : null);
}

const listsOf = ({ appearance }: z.infer<typeof chosenAppearance>): ListChoice =>
  appearance?.lists ?? DEFAULT_LISTS;

/** The operator's own columns and saved views; those of a new operator until they are loaded. */
export function useListChoice(): ListChoice {
  return useQuery({ ...appearanceQuery, select: listsOf }).data ?? DEFAULT_LISTS;
}
