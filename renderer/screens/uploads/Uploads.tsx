import { useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import {
  UPLOAD_FILTERS,
  uploadQuery,
  type UploadQuery,
  type UploadRow,
} from '../../../core/contracts/dashboard/work.ts';
import { useMay } from '../../api/session.ts';
import { uploadsQuery } from '../../api/work.ts';
import { DayRange } from '../../components/DayRange.tsx';
import { FilterBar } from '../../components/filters.tsx';
import { ListBody, NoneFiltered } from '../../components/list/ListBody.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Page } from '../../components/Page.tsx';
import { Split } from '../../components/Split.tsx';
import { EmptyState } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useAddressFilter, type AddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import type { Column } from '../../components/list/columns.ts';
import { useFormats } from '../../i18n/format.ts';
import { UploadPanel } from './UploadPanel.tsx';

const PLACE = '/enrol/uploads';
const FILTER: FilterShape<'show', UploadQuery> = { schema: uploadQuery, keys: ['show'], end: 'until' };

/** Uploads from the dashboard and from programs. The service processes them whether a window is open or not. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter(FILTER);
  const columns = useColumns();
  const list = useInfiniteRows(
    useInfiniteQuery({ ...uploadsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first } = list;
  const go = (place: string) => void navigate({ pathname: place, search: address.search });
  const enrol = may('uploads:create') ? (
    <Button component={Link} to="/enrol" leftSection={<IconUpload size={16} aria-hidden />}>
      {t('uploads.enrol')}
    </Button>
  ) : undefined;
  return (
    <Page
      title={t('uploads.title')}
      state={first && t('uploads.state', { count: first.total, total: count(first.total) })}
      action={enrol}
    >
      <Filters address={address} />
      <Split beside={id === undefined ? null : <UploadPanel key={id} id={id} close={() => go(PLACE)} />}>
        <ListBody
          list={list}
          none={
            address.filtered ? (
              <NoneFiltered title={t('uploads.noneFiltered')} clear={address.clear} />
            ) : (
              <EmptyState Icon={IconUpload} title={t('uploads.none')} action={enrol}>
                {t('uploads.noneHelp')}
              </EmptyState>
            )
          }
          label={t('uploads.title')}
          columns={columns}
          rowKey={({ uploadId }) => uploadId}
          openKey={id ?? null}
          open={({ uploadId }) => go(`${PLACE}/${uploadId}`)}
          follow
        />
      </Split>
    </Page>
  );
}

function Filters({ address }: { address: AddressFilter<'show', UploadQuery> }) {
  const { t } = useTranslation();
  return (
    <FilterBar address={address}>
      <SegmentedControl
        size="xs"
        aria-label={t('uploads.show')}
        data={[
          { value: '', label: t('common.all') },
          ...UPLOAD_FILTERS.map((value) => ({ value, label: t(`uploads.${value}`) })),
        ]}
        value={address.filter.show ?? ''}
        onChange={(value) => address.set('show', value)}
      />
      <DayRange address={address} />
    </FilterBar>
  );
}

function useColumns(): Column<UploadRow>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return useMemo(
    () => [
      {
        key: 'when',
        label: t('enrol.when'),
        minWidth: 170,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      {
        key: 'status',
        label: t('validations.status'),
        minWidth: 150,
        cell: ({ status }) => <StatusBadge of="upload" code={status} />,
      },
      {
        key: 'target',
        label: t('enrol.target'),
        minWidth: 140,
        grow: 1,
        cell: ({ blacklistName }) => blacklistName ?? t('enrol.duplicate'),
      },
      {
        key: 'images',
        label: t('enrol.images'),
        minWidth: 90,
        cell: ({ numberOfImages }) => count(numberOfImages),
      },
      {
        key: 'enrolled',
        label: t('status.enrolled'),
        minWidth: 90,
        cell: ({ succeededCount }) => count(succeededCount),
      },
      {
        key: 'failed',
        label: t('status.failed'),
        minWidth: 90,
        cell: ({ failedCount }) => count(failedCount),
      },
    ],
    [t, count],
  );
}
