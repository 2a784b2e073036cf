import { Textarea, TextInput } from '@mantine/core';
import { LISTING_TEXT_NAMES, LISTING_TEXTS, SEVERITIES } from '../../core/contracts/faceListing.ts';
import { useWords } from '../i18n/words.tsx';
import { localTime, type ListingDraft } from './listingDraft.ts';
import { Select } from './Select.tsx';

/** The fields of the listing of blacklist faces. */
export function ListingFields(props: {
  draft: ListingDraft;
  change: (draft: ListingDraft) => void;
  disabled?: boolean;
  /** Messages of the service by field. */
  said?: Readonly<Record<string, string[]>>;
}) {
  const { draft, change, disabled = false, said } = props;
  const { t, count } = useWords();
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
      {LISTING_TEXT_NAMES.map((field) => (
        <Textarea
          key={field}
          label={t(`listing.${field}`)}
          description={t(`listing.help_${field}`, { most: count(LISTING_TEXTS[field]) })}
          maxLength={LISTING_TEXTS[field]}
          rows={2}
          disabled={disabled}
          error={said?.[field]?.join(' ')}
          value={draft[field]}
          onChange={(event) => change({ ...draft, [field]: event.currentTarget.value })}
        />
      ))}
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
