import { useEffect, useMemo, useState } from 'react';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilterOff, IconSignature } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { ComparisonRow } from '../../../core/contracts/dashboard/signatures.ts';
import { VERDICTS } from '../../../core/contracts/signatures.ts';
import { comparisonsQuery } from '../../api/signatures.ts';
import { Page } from '../../components/Page.tsx';
import { VerdictBadge } from '../../components/SimilarityScale.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages } from '../../components/usePages.ts';
import { useRowKeys } from '../../components/useRowKeys.ts';
import { VirtualRows, type Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ComparisonPanel } from './ComparisonPanel.tsx';
import { SignatureTabs } from './SignatureTabs.tsx';
import { useHistoryFilter } from './useHistoryFilter.ts';
import './signatures.css';

const PLACE = '/signatures/history';

/** Every comparison that was made, here or by a program; one of them beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useHistoryFilter();
  const list = usePages(
    useInfiniteQuery({ ...comparisonsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first, rows, error, more, retry } = list;
  const go = (place: string) => void navigate({ pathname: place, search: address.search });
  const openId = id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
  return (
    <Page
      title={t('nav.signatures')}
      state={first && t('signatures.historyState', { count: first.total, total: count(first.total) })}
    >
      <SignatureTabs />
      <Filters address={address} />
      <div className={openId === null ? 'split' : 'split with-panel'}>
        <div className="split-main">
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
            <List
              rows={rows}
              total={first.total}
              more={more}
              openId={openId}
              open={(row) => go(`${PLACE}/${row.id}`)}
            />
          )}
        </div>
        {openId === null ? null : <ComparisonPanel key={openId} id={openId} close={() => go(PLACE)} />}
      </div>
    </Page>
  );
}

function Filters({ address }: { address: ReturnType<typeof useHistoryFilter> }) {
  const { t } = useTranslation();
  const { value, set, filtered, clear } = address;
  return (
    <div className="filters" role="search" aria-label={t('validations.filters')}>
      {(['template', 'verification'] as const).map((key) => (
        <ReferenceFilter
          key={key}
          label={t(`signatures.${key}`)}
          text={value(`${key}_id`)}
          set={(text) => set(`${key}_id`, text)}
        />
      ))}
      <Select
        size="xs"
        w={160}
        clearable
        aria-label={t('signatures.anyVerdict')}
        placeholder={t('signatures.anyVerdict')}
        data={VERDICTS.map((verdict) => ({ value: verdict, label: t(`signatures.verdict_${verdict}`) }))}
        value={value('verdict') === '' ? null : value('verdict')}
        onChange={(verdict) => set('verdict', verdict ?? '')}
      />
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          size="xs"
          type="date"
          w={138}
          aria-label={t(`validations.${key}`)}
          title={t(`validations.${key}`)}
          value={value(key)}
          onChange={(event) => set(key, event.currentTarget.value)}
        />
      ))}
      {filtered ? (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t('validations.clear')}
        </Button>
      ) : null}
    </div>
  );
}

function ReferenceFilter({ label, text, set }: { label: string; text: string; set: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const later = useDebouncedCallback(set, 150);
  useEffect(() => setTyped(text), [text]);
  return (
    <TextInput
      size="xs"
      w={200}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}

function List(props: {
  rows: readonly ComparisonRow[];
  total: number;
  more: (() => void) | null;
  openId: number | null;
  open: (row: ComparisonRow) => void;
}) {
  const { rows, total, more, openId } = props;
  const { t } = useTranslation();
  const columns = useColumns(openId !== null);
  const { cursor, open } = useRowKeys(rows, props.open, { follow: openId !== null });
  return (
    <VirtualRows
      label={t('signatures.historyTab')}
      columns={columns}
      rows={rows}
      total={total}
      rowKey={({ id }) => id}
      cursor={cursor}
      openKey={openId}
      open={open}
      more={more}
    />
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
