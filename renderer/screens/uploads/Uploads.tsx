import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { RUN_FILTERS, runQuery, type RunQuery } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { runsQuery } from '../../api/enrolmentRuns.ts';
import { useMay } from '../../api/session.ts';
import { DayRange } from '../../components/DayRange.tsx';
import { FilterBar } from '../../components/filters.tsx';
import { ListBody, NoneFiltered } from '../../components/list/ListBody.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Page } from '../../components/Page.tsx';
import { Split } from '../../components/Split.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useAddressFilter, type AddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import { useFormats } from '../../i18n/format.ts';
import { useRunColumns } from './runColumns.tsx';
import { UploadPanel } from './UploadPanel.tsx';

const PLACE = '/enrol/uploads';
const FILTER: FilterShape<'show', RunQuery> = { schema: runQuery, keys: ['show'], end: 'until' };

/** Enrolment runs of operators and programs. A run opens as the list of its failed photos; one upload opens beside. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter(FILTER);
  const columns = useRunColumns();
  const list = useInfiniteRows(
    useInfiniteQuery({ ...runsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first } = list;
  const enrol = may('uploads:create') ? (
    <Button component={Link} to="/enrol" leftSection={<IconUpload size={16} aria-hidden />}>
      {t('uploads.enrol')}
    </Button>
  ) : undefined;
  const close = () => void navigate({ pathname: PLACE, search: address.search });
  return (
    <Page
      title={t('uploads.title')}
      state={first && t('uploads.state', { count: first.total, total: count(first.total) })}
      action={enrol}
    >
      <Filters address={address} />
      <Split beside={id === undefined ? null : <UploadPanel key={id} id={id} close={close} />}>
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
          rowKey={({ runId }) => runId}
          openKey={null}
          open={({ runId }) => void navigate(`/enrol/failures?run=${runId}`)}
        />
      </Split>
    </Page>
  );
}

function Filters({ address }: { address: AddressFilter<'show', RunQuery> }) {
  const { t } = useTranslation();
  return (
    <FilterBar
      address={address}
      end={
        <Button component={Link} size="compact-sm" variant="default" to="/enrol/failures?state=open">
          {t('uploads.allFailures')}
        </Button>
      }
    >
      <SegmentedControl
        size="xs"
        aria-label={t('uploads.show')}
        data={[
          { value: '', label: t('common.all') },
          ...RUN_FILTERS.map((value) => ({ value, label: t(`uploads.${value}`) })),
        ]}
        value={address.filter.show ?? ''}
        onChange={(value) => address.set('show', value)}
      />
      <DayRange address={address} />
    </FilterBar>
  );
}
