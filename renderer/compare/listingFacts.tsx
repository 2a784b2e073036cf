import { LISTING_TEXT_NAMES, type FaceListing } from '../../core/contracts/faceListing.ts';
import { SeverityBadge } from '../components/Severity.tsx';
import { useTexts } from '../i18n/useTexts.tsx';
import type { ComparedFact } from './compared.ts';

/** The listing of the second of two compared faces; none for a face that is in no blacklist. */
export function useListingFacts(): (listing: Omit<FaceListing, 'expiresAt'> | null) => ComparedFact[] {
  const { t } = useTexts();
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
