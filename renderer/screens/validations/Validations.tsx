import { Button } from '@mantine/core';
import { IconClipboardCheck, IconFilterOff, IconListDetails } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { validationsQuery } from '../../api/validations.ts';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { usePages } from '../../components/usePages.ts';
import { useRowKeys } from '../../components/useRowKeys.ts';
import { VirtualRows } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Filters } from './Filters.tsx';
import { useColumns } from './useColumns.tsx';
import { useFilter, type FilterInAddress } from './useFilter.ts';
import { ValidationPanel } from './ValidationPanel.tsx';
import './validations.css';

/** The list of Trust Validations, and one of them beside it when the address names one. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const openId = useOpenId();
  const address = useFilter();
  const list = useRows(address);
  const { first } = list;
  const state =
    first === undefined
      ? undefined
      : t('validations.state', {
          count: first.total,
          total: count(first.total),
          review: count(first.needReview),
        });
  return (
    <Page
      title={t('nav.validations')}
      state={state}
      action={
        <Button component={Link} to="/review" leftSection={<IconClipboardCheck size={16} aria-hidden />}>
          {t('validations.startReview')}
        </Button>
      }
    >
      <Filters address={address} />
      <div className={openId === null ? 'split' : 'split with-panel'}>
        <List list={list} address={address} openId={openId} />
        {openId === null ? null : <ValidationPanel key={openId} id={openId} />}
      </div>
    </Page>
  );
}

function useOpenId(): number | null {
  const { id } = useParams();
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

function useRows({ filter }: FilterInAddress) {
  return usePages(useInfiniteQuery({ ...validationsQuery(filter), placeholderData: keepPreviousData }));
}

interface ListProps {
  list: ReturnType<typeof useRows>;
  address: FilterInAddress;
  openId: number | null;
}

function List({ list, address, openId }: ListProps) {
  const { t } = useTranslation();
  const columns = useColumns(openId !== null);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { rows, first, error, more, retry } = list;
  const { cursor, open } = useRowKeys(
    rows,
    ({ id }) => void navigate({ pathname: `/validations/${id}`, search: params.toString() }),
    { follow: openId !== null },
  );
  if (error !== null) return <ErrorState error={error} retry={retry} />;
  if (first === undefined) return <LoadingRows />;
  if (rows.length === 0) return <Nothing address={address} />;
  return (
    <VirtualRows
      label={t('nav.validations')}
      columns={columns}
      rows={rows}
      total={first.total}
      rowKey={({ id }) => id}
      cursor={cursor}
      openKey={openId}
      open={open}
      more={more}
    />
  );
}

function Nothing({ address }: { address: FilterInAddress }) {
  const { t } = useTranslation();
  if (address.filtered)
    return (
      <EmptyState
        Icon={IconFilterOff}
        title={t('validations.noneFiltered')}
        action={
          <Button variant="default" onClick={address.clear}>
            {t('validations.clear')}
          </Button>
        }
      >
        {t('validations.noneFilteredHelp')}
      </EmptyState>
    );
  return (
    <EmptyState
      Icon={IconListDetails}
      title={t('validations.none')}
      action={
        <Button component={Link} to="/enrol">
          {t('validations.enrol')}
        </Button>
      }
    >
      {t('validations.noneHelp')}
    </EmptyState>
  );
}
