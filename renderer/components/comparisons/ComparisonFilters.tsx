import { useTranslation } from 'react-i18next';
import type { ComparisonActor, ComparisonQuery } from '../../../core/contracts/dashboard/signatures.ts';
import { VERDICTS, type Verdict } from '../../../core/contracts/signatures.ts';
import { DayRange } from '../DayRange.tsx';
import { FilterBar, TypedFilter } from '../filters.tsx';
import { Select } from '../Select.tsx';
import type { AddressFilter } from '../useAddressFilter.ts';

export type ComparisonFilterKey = 'template_id' | 'verification_id' | 'verdict' | 'credential';

/** The filters of recorded comparisons. @param actors every operator and program with a record */
export function ComparisonFilters(props: {
  address: AddressFilter<ComparisonFilterKey, ComparisonQuery>;
  actors: readonly ComparisonActor[];
  verdicts: { label: string; any: string; of: (verdict: Verdict) => string };
}) {
  const { t } = useTranslation();
  const { address, actors, verdicts } = props;
  const { value, set } = address;
  const credential = address.filter.credential ?? null;
  const named = actors.map((each) => ({
    value: each.credential,
    label: each.operator ?? t('signatures.program', { credential: each.credential }),
  }));
  // A copied address may name an actor without a record: the filter still shows it.
  const choices =
    credential === null || named.some((each) => each.value === credential)
      ? named
      : [...named, { value: credential, label: credential }];
  return (
    <FilterBar address={address}>
      {(['template', 'verification'] as const).map((key) => (
        <TypedFilter
          key={key}
          label={t(`signatures.${key}`)}
          text={value(`${key}_id`)}
          set={(text) => set(`${key}_id`, text)}
          slash={key === 'template'}
        />
      ))}
      <Select
        size="xs"
        w={160}
        aria-label={verdicts.label}
        none={verdicts.any}
        data={VERDICTS.map((verdict) => ({ value: verdict, label: verdicts.of(verdict) }))}
        value={address.filter.verdict ?? null}
        onChange={(verdict) => set('verdict', verdict)}
      />
      <Select
        size="xs"
        w={210}
        aria-label={t('signatures.comparedBy')}
        none={t('signatures.anyActor')}
        data={choices.sort((one, other) => one.label.localeCompare(other.label))}
        value={credential}
        onChange={(actor) => set('credential', actor)}
      />
      <DayRange address={address} />
    </FilterBar>
  );
}
