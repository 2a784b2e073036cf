import { useMemo } from 'react';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconFilterOff, IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { UPLOAD_FILTERS, type UploadQuery, type UploadRow } from '../../../core/contracts/dashboard/work.ts';
import { useMay } from '../../api/session.ts';
import { uploadsQuery } from '../../api/work.ts';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages } from '../../components/usePages.ts';
import { useRowKeys } from '../../components/useRowKeys.ts';
import { VirtualRows, type Column } from '../../components/VirtualRows.tsx';
import { startOfDay } from '../../i18n/days.ts';
import { useFormats } from '../../i18n/format.ts';
import { UploadPanel } from './UploadPanel.tsx';

const PLACE = '/enrol/uploads';
const PAGE = 200;

/** What the core has accepted, from here or from programs: it goes on whether a window is open or not. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams();
  const [params] = useSearchParams();
  const filter = useFilter(params);
  const { first, rows, error, more, retry } = usePages(
    useInfiniteQuery({ ...uploadsQuery(filter), placeholderData: keepPreviousData }),
  );
  const go = (place: string) => void navigate({ pathname: place, search: params.toString() });
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
      <Filters />
      <div className={id === undefined ? 'split' : 'split with-panel'}>
        <div className="split-main">
          {error !== null ? (
            <ErrorState error={error} retry={retry} />
          ) : first === undefined ? (
            <LoadingRows />
          ) : rows.length > 0 ? (
            <List
              rows={rows}
              total={first.total}
              more={more}
              openId={id ?? null}
              open={({ uploadId }) => go(`${PLACE}/${uploadId}`)}
            />
          ) : params.size > 0 ? (
            <EmptyState
              Icon={IconFilterOff}
              title={t('uploads.noneFiltered')}
              action={
                <Button component={Link} to={PLACE} variant="default">
                  {t('uploads.all')}
                </Button>
              }
            >
              {t('validations.noneFilteredHelp')}
            </EmptyState>
          ) : (
            <EmptyState Icon={IconUpload} title={t('uploads.none')} action={enrol}>
              {t('uploads.noneHelp')}
            </EmptyState>
          )}
        </div>
        {id === undefined ? null : <UploadPanel key={id} id={id} close={() => go(PLACE)} />}
      </div>
    </Page>
  );
}

/** What the address asks for; a key that somebody mistyped filters nothing. */
function useFilter(params: URLSearchParams): UploadQuery {
  return useMemo(() => {
    const show = UPLOAD_FILTERS.find((each) => each === params.get('show'));
    const [from, until] = [startOfDay(params.get('from') ?? ''), startOfDay(params.get('to') ?? '', 1)];
    return { limit: PAGE, ...(show && { show }), ...(from && { from }), ...(until && { until }) };
  }, [params]);
}

function Filters() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const set = (key: string, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === '') next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="filters" role="search" aria-label={t('validations.filters')}>
      <SegmentedControl
        size="xs"
        aria-label={t('uploads.show')}
        data={[
          { value: '', label: t('common.all') },
          ...UPLOAD_FILTERS.map((value) => ({ value, label: t(`uploads.${value}`) })),
        ]}
        value={params.get('show') ?? ''}
        onChange={(value) => set('show', value)}
      />
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          size="xs"
          type="date"
          w={138}
          aria-label={t(`validations.${key}`)}
          title={t(`validations.${key}`)}
          value={params.get(key) ?? ''}
          onChange={(event) => set(key, event.currentTarget.value)}
        />
      ))}
    </div>
  );
}

function List(props: {
  rows: readonly UploadRow[];
  total: number;
  more: (() => void) | null;
  openId: string | null;
  open: (row: UploadRow) => void;
}) {
  const { rows, total, more, openId } = props;
  const { t } = useTranslation();
  const columns = useColumns(openId !== null);
  const { cursor, open } = useRowKeys(rows, props.open, { follow: openId !== null });
  return (
    <VirtualRows
      label={t('uploads.title')}
      columns={columns}
      rows={rows}
      total={total}
      rowKey={({ uploadId }) => uploadId}
      cursor={cursor}
      openKey={openId}
      open={open}
      more={more}
    />
  );
}

function useColumns(narrow: boolean): Column<UploadRow>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return useMemo(() => {
    const all: Column<UploadRow>[] = [
      {
        key: 'when',
        label: t('enrol.when'),
        track: '170px',
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      {
        key: 'status',
        label: t('validations.status'),
        track: '150px',
        cell: ({ status }) => <StatusBadge of="upload" code={status} />,
      },
      {
        key: 'target',
        label: t('enrol.target'),
        track: 'minmax(140px, 1fr)',
        cell: ({ blacklistName }) => blacklistName ?? t('enrol.duplicate'),
      },
      {
        key: 'images',
        label: t('enrol.images'),
        track: '90px',
        cell: ({ numberOfImages }) => count(numberOfImages),
      },
      {
        key: 'enrolled',
        label: t('status.enrolled'),
        track: '90px',
        cell: ({ succeededCount }) => count(succeededCount),
      },
      {
        key: 'failed',
        label: t('status.failed'),
        track: '90px',
        cell: ({ failedCount }) => count(failedCount),
      },
    ];
    return narrow ? all.slice(0, 3) : all;
  }, [t, count, narrow]);
}
