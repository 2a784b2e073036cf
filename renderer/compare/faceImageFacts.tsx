import { type ReactNode } from 'react';
import { Link } from 'react-router';
import type { FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import { LISTING_TEXT_NAMES, type FaceListing } from '../../core/contracts/faceListing.ts';
import type { ComparedFact, ComparedImage } from './geometry.ts';
import { useWords } from '../i18n/words.tsx';
import { Fact, Time } from '../components/StatusBadge.tsx';
import { SeverityBadge } from '../components/Severity.tsx';

/** A faceImage as the compare view takes it. */
export function comparedFaceImage(faceImage: FaceImage, key: string, alt: string): ComparedImage {
  const { imageUrl, width, height, eyes } = faceImage;
  return { key, url: imageUrl, alt, width, height, eyes };
}

const KINDS = ['person', 'file', 'enrolled', 'size', 'quality', 'pipeline', 'sha256'] as const;
type Kind = (typeof KINDS)[number];

/** The facts of a photo, alike on every screen. */
function useFacts(): (kind: Kind, faceImage: FaceImage) => ReactNode {
  const { t, count } = useWords();
  return (kind, { fileName, enrolledAt, width, height, quality, pipelineId, sha256, person }) => {
    switch (kind) {
      case 'person':
        return person === null ? '–' : <Link to={`/persons/${person.id}`}>{person.name}</Link>;
      case 'file':
        return fileName;
      case 'enrolled':
        return <Time at={enrolledAt} />;
      case 'size':
        return `${count(width)} × ${count(height)}`;
      case 'quality':
        return quality === null ? t('common.unknown') : t('facts.outOf100', { score: count(quality) });
      case 'pipeline':
        return <span className="mono ltr">{pipelineId ?? t('common.unknown')}</span>;
      case 'sha256':
        return <span className="mono ltr">{sha256 ?? t('common.unknown')}</span>;
    }
  };
}

/** The facts that are shown: a face of no person has no row for it. */
const kindsOf = (faceImages: readonly FaceImage[]) =>
  KINDS.filter((kind) => kind !== 'person' || faceImages.some(({ person }) => person !== null));

/** Facts of both sides of a face comparison: person, file, time, quality, pipeline, hash. */
export function useFaceImageFacts(): (pair: readonly [FaceImage, FaceImage]) => ComparedFact[] {
  const { t } = useWords();
  const fact = useFacts();
  return ([first, second]) =>
    kindsOf([first, second]).map((kind) => ({
      label: t(`facts.${kind}`),
      values: [fact(kind, first), fact(kind, second)],
    }));
}

/** The facts of one photo as rows of a list, without those that the list has already. */
export function FaceImageFacts({ faceImage, without }: { faceImage: FaceImage; without: Kind }) {
  const { t } = useWords();
  const fact = useFacts();
  return kindsOf([faceImage])
    .filter((kind) => kind !== without)
    .map((kind) => (
      <Fact key={kind} label={t(`facts.${kind}`)}>
        {fact(kind, faceImage)}
      </Fact>
    ));
}

/** The listing of the second of two compared faces; none for a face that is in no blacklist. */
export function useListingFacts(): (listing: Omit<FaceListing, 'expiresAt'> | null) => ComparedFact[] {
  const { t } = useWords();
  return (listing) =>
    listing === null
      ? []
      : [
          {
            label: t('listing.severity'),
            values: ['–', <SeverityBadge key="severity" severity={listing.severity} />],
          },
          ...LISTING_TEXT_NAMES.map((field) => ({
            label: t(`listing.${field}`),
            values: ['–', listing[field] ?? t(`listing.no_${field}`)] as const,
          })),
        ];
}
