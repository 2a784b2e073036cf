import { useMemo } from 'react';

import { IconSignature } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import {
  comparisonQuery,
  type ComparisonQuery,
  type SignatureRow,
} from '../../../core/contracts/dashboard/signatures.ts';
import { VERDICTS } from '../../../core/contracts/signatures.ts';
import { comparisonsQuery } from '../../api/signatures.ts';
import { Select } from '../../components/Select.tsx';
import { DayRange } from '../../components/DayRange.tsx';
import { FilterBar, TypedFilter } from '../../components/filters.tsx';
import { ListBody, NoneFiltered } from '../../components/list/ListBody.tsx';
import { Page } from '../../components/Page.tsx';
import { VerdictBadge } from '../../components/SimilarityScale.tsx';
import { Split } from '../../components/Split.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useAddressFilter, type AddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import type { Column } from '../../components/list/columns.ts';
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
  const list = useInfiniteRows(
    useInfiniteQuery({ ...comparisonsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first } = list;
  const go = (place: string) => void navigate({ pathname: place, search: address.search });
  const columns = useColumns();
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
        <ListBody
          list={list}
          none={
            address.filtered ? (
              <NoneFiltered title={t('signatures.noneFiltered')} clear={address.clear} />
            ) : (
              <EmptyState Icon={IconSignature} title={t('signatures.none')}>
                {t('signatures.noneHelp')}
              </EmptyState>
            )
          }
          label={t('signatures.historyTab')}
          columns={columns}
          rowKey={(row) => row.id}
          openKey={openId}
          open={(row) => go(`${PLACE}/${row.id}`)}
          follow
        />
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
        aria-label={t('signatures.anyVerdict')}
        none={t('signatures.anyVerdict')}
        data={VERDICTS.map((verdict) => ({ value: verdict, label: t(`signatures.verdict_${verdict}`) }))}
        value={address.filter.verdict ?? null}
        onChange={(verdict) => set('verdict', verdict)}
      />
      <DayRange address={address} />
    </FilterBar>
  );
}

function useColumns(): Column<SignatureRow>[] {
  const { t } = useTranslation();
  const { count, decimal } = useFormats();
  return useMemo(
    () => [
      { key: 'at', label: t('signatures.column_at'), minWidth: 170, cell: ({ at }) => <Time at={at} /> },
      {
        key: 'verdict',
        label: t('signatures.column_verdict'),
        minWidth: 150,
        cell: ({ verdict }) => <VerdictBadge verdict={verdict} />,
      },
      {
        key: 'similarity',
        label: t('signatures.column_similarity'),
        minWidth: 90,
        cell: ({ similarity }) => (similarity === null ? '–' : decimal(similarity)),
      },
      {
        key: 'known',
        label: t('signatures.column_known'),
        minWidth: 90,
        cell: (row) => ('known' in row ? count(row.known.sha256.known.length) : '–'),
      },
      {
        key: 'template',
        label: t('signatures.template'),
        minWidth: 100,
        grow: 1,
        cell: ({ templateId }) => templateId,
      },
      {
        key: 'verification',
        label: t('signatures.verification'),
        minWidth: 120,
        grow: 1,
        cell: ({ verificationId }) => verificationId,
      },
      {
        key: 'by',
        label: t('signatures.column_by'),
        minWidth: 120,
        grow: 1,
        cell: ({ operator, credential }) => operator ?? t('signatures.program', { credential }),
      },
    ],
    [t, count, decimal],
  );
}
