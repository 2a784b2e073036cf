import { memo, useCallback, useMemo } from 'react';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { HIT_KINDS, type ValidationQuery } from '../../../core/contracts/dashboard/validations.ts';
import { flowsQuery } from '../../api/flows.ts';
import { useMay } from '../../api/session.ts';
import { useAppearance } from '../../appShell/useAppearance.ts';
import { Select } from '../../components/Select.tsx';
import { DayRange } from '../../components/DayRange.tsx';
import { FilterBar, TypedFilter } from '../../components/filters.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import type { AddressFilter } from '../../components/useAddressFilter.ts';
import { useTexts } from '../../i18n/useTexts.tsx';
import { ExportMatches, ExportValidations } from './bulk/ExportValidations.tsx';
import { SavedViews } from './SavedViews.tsx';
import { OPTIONAL_COLUMNS } from './useColumns.tsx';
import { useListChoice } from './useListChoice.ts';

const STATUSES = [
  ['', 'common.all'],
  ['2', 'status.reviewNeeded'],
  ['1', 'status.rejected'],
  ['3', 'status.verified'],
  ['3 enrolment', 'status.enrolled'],
  ['4', 'status.incomplete'],
  ['5', 'status.inProgress'],
] as const;

export type FilterKey = 'status' | 'source' | 'flow' | 'hit' | 'text' | 'sort' | 'order';
export type ValidationAddress = AddressFilter<FilterKey, ValidationQuery>;

type Set = ValidationAddress['set'];

/** Each control renders when its own filter changes, and none of them when rows arrive. */
export const Filters = memo(function Filters({ address }: { address: ValidationAddress }) {
  const { t } = useTexts();
  const { filter, set, setAll } = address;
  const setText = useCallback((text: string) => set('text', text), [set]);
  const statuses = useMemo(() => STATUSES.map(([value, word]) => ({ value, label: t(word) })), [t]);
  return (
    <FilterBar address={address}>
      <TypedFilter label={t('validations.text')} text={filter.text ?? ''} set={setText} slash />
      <SegmentedControl
        size="xs"
        aria-label={t('validations.status')}
        data={statuses}
        value={statusValue(filter)}
        onChange={(value) => setAll(statusFilter(value))}
      />
      <HitFilter hit={filter.hit} set={set} />
      <FlowFilter flow={filter.flow} set={set} />
      <DayRange address={address} />
    </FilterBar>
  );
});

/** The actions for the list as a whole. */
export function ListTools({ filter }: { filter: ValidationQuery }) {
  return (
    <>
      <ExportValidations filter={filter} />
      <ExportMatches filter={filter} />
      <SavedViews />
      <ColumnChoice />
    </>
  );
}

/** *Verified* means verifications: photos of enrolment have the same status, and are an entry of their own. */
function statusFilter(value: string): { status: string; source: string | null } {
  const [status = '', source] = value.split(' ');
  return { status, source: source ?? (status === '3' ? 'verification' : null) };
}

function statusValue({ status, source }: ValidationQuery): string {
  if (status === undefined) return '';
  return source === 'enrolment' ? `${status} ${source}` : String(status);
}

const HitFilter = memo(function HitFilter({ hit, set }: { hit: ValidationQuery['hit']; set: Set }) {
  const { t } = useTexts();
  return (
    <Select
      size="xs"
      aria-label={t('validations.hit')}
      none={t('validations.hit')}
      data={HIT_KINDS.map((value) => ({ value, label: t(`validations.hit_${value}`) }))}
      value={hit ?? null}
      onChange={(value) => set('hit', value)}
    />
  );
});

const FlowFilter = memo(function FlowFilter({ flow, set }: { flow: number | undefined; set: Set }) {
  const { t } = useTexts();
  const may = useMay();
  const { data } = useQuery({ ...flowsQuery, enabled: may('flows:read'), staleTime: 30_000 });
  if (!may('flows:read')) return null;
  return (
    <Select
      size="xs"
      aria-label={t('validations.column_flow')}
      none={t('validations.anyFlow')}
      data={data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={flow === undefined ? null : String(flow)}
      onChange={(value) => set('flow', value)}
    />
  );
});

const ColumnChoice = memo(function ColumnChoice() {
  const { t } = useTexts();
  const lists = useListChoice();
  const { choose } = useAppearance();
  const { hiddenColumns: hidden } = lists;
  const toggle = (key: string) => {
    const hiddenColumns = hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key];
    choose({ lists: { ...lists, hiddenColumns } });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('validations.columns')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('validations.columns')}>
            <IconColumns3 size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {OPTIONAL_COLUMNS.map((key) => (
          <Menu.CheckboxItem key={key} checked={!hidden.includes(key)} onChange={() => toggle(key)}>
            {t(`validations.column_${key}`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
