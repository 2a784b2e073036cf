import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { SeverityBadge } from '../components/Severity.tsx';
import { useTexts } from '../i18n/useTexts.tsx';
import type { ComparedFact } from './compared.ts';

/** Severity and reason of the second of two compared faces; none for a face that is in no blacklist. */
export function useListingFacts(): (
  listing: Pick<FaceListing, 'severity' | 'reason'> | null,
) => ComparedFact[] {
  const { t } = useTexts();
  return (listing) =>
    listing === null
      ? []
      : [
          {
            label: t('listing.severity'),
            values: ['–', <SeverityBadge key="severity" severity={listing.severity} />],
          },
          { label: t('listing.reason'), values: ['–', listing.reason ?? t('listing.noReason')] },
        ];
}
