import { Textarea, TextInput } from '@mantine/core';
import { REASON_LIMIT, SEVERITIES } from '../../core/contracts/faceListing.ts';
import { useFormats } from '../i18n/format.ts';
import { useTexts } from '../i18n/useTexts.tsx';
import { localTime, type ListingDraft } from './listingDraft.ts';
import { Select } from './Select.tsx';

/** The fields for severity, reason and expiry of blacklist faces. */
export function ListingFields(props: {
  draft: ListingDraft;
  change: (draft: ListingDraft) => void;
  disabled?: boolean;
  /** Messages of the service by field. */
  said?: Readonly<Record<string, string[]>>;
}) {
  const { draft, change, disabled = false, said } = props;
  const { t } = useTexts();
  const { count } = useFormats();
  return (
    <>
      <Select
        label={t('listing.severity')}
        data={SEVERITIES.map((value) => ({ value, label: t(`listing.severity_${value}`) }))}
        disabled={disabled}
        error={said?.severity?.join(' ')}
        value={draft.severity}
        onChange={(severity) => change({ ...draft, severity: severity ?? draft.severity })}
      />
      <Textarea
        label={t('listing.reason')}
        description={t('listing.reasonHelp', { most: count(REASON_LIMIT) })}
        maxLength={REASON_LIMIT}
        rows={2}
        disabled={disabled}
        error={said?.reason?.join(' ')}
        value={draft.reason}
        onChange={(event) => change({ ...draft, reason: event.currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={t('listing.expires')}
        description={t('listing.expiresHelp')}
        min={localTime(new Date())}
        disabled={disabled}
        error={said?.expiresAt?.join(' ')}
        value={draft.expires}
        onChange={(event) => change({ ...draft, expires: event.currentTarget.value })}
      />
    </>
  );
}
