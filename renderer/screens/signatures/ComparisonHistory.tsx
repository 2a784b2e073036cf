import { useMemo } from 'react';
import { Button, Select } from '@mantine/core';
import { IconFilterOff, IconSignature } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import {
  comparisonQuery,
  type ComparisonQuery,
  type ComparisonRow,
} from '../../../core/contracts/dashboard/signatures.ts';
import { VERDICTS } from '../../../core/contracts/signatures.ts';
import { comparisonsQuery } from '../../api/signatures.ts';
import { DayRange, FilterBar, TypedFilter } from '../../components/filters.tsx';
import { Page } from '../../components/Page.tsx';
import { RowList } from '../../components/RowList.tsx';
import { VerdictBadge } from '../../components/SimilarityScale.tsx';
import { Split } from '../../components/Split.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useAddressFilter, type AddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { usePages } from '../../components/usePages.ts';
import type { Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ComparisonPanel } from './ComparisonPanel.tsx';
import { SignatureTabs } from './SignatureTabs.tsx';
import './signatures.css';

const PLACE = '/signatures/history';
type HistoryKey = 'template_id' | 'verification_id' | 'verdict';
const FILTER: FilterShape<HistoryKey, ComparisonQuery> = {
  schema: comparisonQuery,
  keys: ['template_id', 'verification_id', 'verdict'],
  end: 'until',
  typed: ['template_id', 'verification_id'],
};

/** Every comparison that was made, here or by a program; one of them beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter(FILTER);
  const list = usePages(
    useInfiniteQuery({ ...comparisonsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first, rows, error, more, retry } = list;
  const go = (place: string) => void navigate({ pathname: place, search: address.search });
  const columns = useColumns(id !== undefined);
  const openId = id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
  return (
    <Page
      title={t('nav.signatures')}
      state={first && t('signatures.historyState', { count: first.total, total: count(first.total) })}
    >
      <SignatureTabs />
      <Filters address={address} />
      <Split
        beside={openId === null ? null : <ComparisonPanel key={openId} id={openId} close={() => go(PLACE)} />}
      >
        {error !== null ? (
          <ErrorState error={error} retry={retry} />
        ) : first === undefined ? (
          <LoadingRows />
        ) : rows.length === 0 && address.filtered ? (
          <EmptyState
            Icon={IconFilterOff}
            title={t('signatures.noneFiltered')}
            action={
              <Button variant="default" onClick={address.clear}>
                {t('validations.clear')}
              </Button>
            }
          >
            {t('validations.noneFilteredHelp')}
          </EmptyState>
        ) : rows.length === 0 ? (
          <EmptyState Icon={IconSignature} title={t('signatures.none')}>
            {t('signatures.noneHelp')}
          </EmptyState>
        ) : (
          <RowList
            label={t('signatures.historyTab')}
            columns={columns}
            rows={rows}
            total={first.total}
            more={more}
            rowKey={(row) => row.id}
            openKey={openId}
            open={(row) => go(`${PLACE}/${row.id}`)}
            follow
          />
        )}
      </Split>
    </Page>
  );
}

function Filters({ address }: { address: AddressFilter<HistoryKey, ComparisonQuery> }) {
  const { t } = useTranslation();
  const { value, set } = address;
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
        clearable
        aria-label={t('signatures.anyVerdict')}
        placeholder={t('signatures.anyVerdict')}
        data={VERDICTS.map((verdict) => ({ value: verdict, label: t(`signatures.verdict_${verdict}`) }))}
        value={address.filter.verdict ?? null}
        onChange={(verdict) => set('verdict', verdict)}
      />
      <DayRange address={address} />
    </FilterBar>
  );
}

function useColumns(narrow: boolean): Column<ComparisonRow>[] {
  const { t } = useTranslation();
  const { decimal } = useFormats();
  return useMemo(() => {
    const all: Column<ComparisonRow>[] = [
      { key: 'at', label: t('signatures.column_at'), track: '170px', cell: ({ at }) => <Time at={at} /> },
      {
        key: 'verdict',
        label: t('signatures.column_verdict'),
        track: '150px',
        cell: ({ verdict }) => <VerdictBadge verdict={verdict} />,
      },
      {
        key: 'similarity',
        label: t('signatures.column_similarity'),
        track: '90px',
        cell: ({ similarity }) => (similarity === null ? '–' : decimal(similarity)),
      },
      {
        key: 'template',
        label: t('signatures.template'),
        track: 'minmax(100px, 1fr)',
        cell: ({ templateId }) => templateId,
      },
      {
        key: 'verification',
        label: t('signatures.verification'),
        track: 'minmax(120px, 1fr)',
        cell: ({ verificationId }) => verificationId,
      },
      {
        key: 'by',
        label: t('signatures.column_by'),
        track: 'minmax(120px, 1fr)',
        cell: ({ operator, credential }) => operator ?? t('signatures.program', { credential }),
      },
    ];
    return narrow ? all.slice(0, 3) : all;
  }, [t, decimal, narrow]);
}
