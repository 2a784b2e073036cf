import { useMemo } from 'react';
import { IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { RUN_FILTERS, runQuery, type RunQuery } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import type { UploadDetail } from '../../../core/contracts/dashboard/work.ts';
import { Action, Panel, EmptyState, Loaded } from '../../components/Page.tsx';
import { runsQuery, uploadQueryById } from '../../api/enrolment.ts';
import { DayRange, FilterBar, StatusFilter } from '../../components/filters.tsx';
import { ListPage, NoneFiltered } from '../../components/list/ListBody.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useAddressFilter, type AddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { column, useInfiniteRows, type Column } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { RUN_COLUMNS } from './runColumns.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Reasons } from '../../components/Reasons.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { VirtualRows } from '../../components/list/VirtualRows.tsx';

const PLACE = '/enrol/uploads';
const FILTER: FilterShape<'show', RunQuery> = { schema: runQuery, keys: ['show'], end: 'until' };

/** Enrolment runs of operators and programs. A run opens as the list of its failed photos; one upload opens beside. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter(FILTER);
  const list = useInfiniteRows(
    useInfiniteQuery({ ...runsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first } = list;
  const enrol = <Action primary Icon={IconUpload} label={t('uploads.enrol')} to="/enrol" />;
  const close = () => void navigate({ pathname: PLACE, search: address.search });
  return (
    <ListPage
      title={t('nav.runs')}
      state={first && t('uploads.state', { count: first.total, total: count(first.total) })}
      action={enrol}
      above={<Filters address={address} />}
      beside={id === undefined ? null : <UploadPanel key={id} id={id} close={close} />}
      list={list}
      none={
        address.filtered ? (
          <NoneFiltered title={t('uploads.noneFiltered')} clear={address.clear} />
        ) : (
          <EmptyState
            Icon={IconUpload}
            title={t('uploads.none')}
            action={enrol}
            help={t('uploads.noneHelp')}
          />
        )
      }
      columns={RUN_COLUMNS}
      rowKey={({ runId }) => runId}
      openKey={null}
      open={({ runId }) => void navigate(`/enrol/failures?run=${runId}`)}
    />
  );
}

function Filters({ address }: { address: AddressFilter<'show', RunQuery> }) {
  const { t } = useWords();
  return (
    <FilterBar
      address={address}
      end={<Action size="compact-sm" label={t('uploads.allFailures')} to="/enrol/failures?state=open" />}
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

type UploadedImage = UploadDetail['images'][number];
const SHOWN = ['all', 'failed', 'enrolled', 'pending'] as const;
type Shown = (typeof SHOWN)[number];
const STATUS = {
  failed: ITEM_STATUS.Failed,
  enrolled: ITEM_STATUS.Enrolled,
  pending: ITEM_STATUS.Pending,
};

/** One upload, photo by photo: where it is, why it failed and what to do. */
function UploadPanel({ id, close }: { id: string; close: () => void }) {
  const { t, time } = useWords();
  const query = useQuery(uploadQueryById(id));
  const { data } = query;
  const title = data === undefined ? t('nav.runs') : t('uploads.one', { time: time(data.createdAt) });
  return (
    <Panel
      title={title}
      note={
        <>
          <span className="mono ltr">{id}</span>{' '}
          {data === undefined ? null : (
            <Link to={`/enrol/failures?run=${data.runId}`}>{t('uploads.run')}</Link>
          )}
        </>
      }
      mark={data && <StatusBadge of="upload" code={data.status} />}
      close={close}
      parts
    >
      <Loaded query={query} rows={8}>
        {(upload) => <Images upload={upload} />}
      </Loaded>
    </Panel>
  );
}

function Images({ upload }: { upload: UploadDetail }) {
  const { t } = useWords();
  const { images, succeededCount, failedCount, numberOfImages } = upload;
  const [address, setAddress] = useSearchParams();
  const shown = SHOWN.find((each) => each === address.get('photos')) ?? (failedCount > 0 ? 'failed' : 'all');
  const show = (value: Shown) =>
    setAddress((now) => {
      const next = new URLSearchParams(now);
      next.set('photos', value);
      return next;
    });
  const columns = useColumns(shown);
  const numbers = {
    all: numberOfImages,
    failed: failedCount,
    enrolled: succeededCount,
    pending: numberOfImages - failedCount - succeededCount,
  };
  const rows = useMemo(
    () => (shown === 'all' ? images : images.filter(({ status }) => status === STATUS[shown])),
    [images, shown],
  );
  return (
    <>
      <div className="filters">
        <StatusFilter states={SHOWN} numbers={numbers} value={shown} onChange={show} />
      </div>
      {shown === 'failed' ? (
        <div className="upload-reasons">
          <Reasons images={rows} />
        </div>
      ) : null}
      <VirtualRows
        label={t('uploads.images')}
        columns={columns}
        rows={rows}
        total={rows.length}
        rowKey={({ index }) => index}
        cursor={-1}
        openKey={null}
        open={() => undefined}
        more={null}
      />
    </>
  );
}

function useColumns(shown: Shown): Column<UploadedImage>[] {
  const { t } = useWords();
  return useMemo(() => {
    const columns: Column<UploadedImage>[] = [
      column(
        'face',
        t('validations.column_face'),
        { minWidth: 28, iconOnly: true },
        ({ thumbnailUrl, fileName }) =>
          thumbnailUrl === null ? null : <FaceThumbnail url={thumbnailUrl} name={fileName} />,
      ),
      column('file', t('facts.file'), { minWidth: 120, grow: 1 }, ({ fileName }) => fileName),
      column('status', t('common.status'), 104, ({ status }) => <StatusBadge of="image" code={status} />),
      column('outcome', t('facts.result'), { minWidth: 140, grow: 1 }, (image) => <Outcome image={image} />),
    ];
    // A column in which every row says the same takes the room of one that says something.
    return columns.filter(({ key }) => key !== 'status' || shown === 'all');
  }, [t, shown]);
}

function Outcome({ image: { failureCode, trustValidationId } }: { image: UploadedImage }) {
  const { t } = useWords();
  if (failureCode !== null)
    return <span title={t(`failures.${failureCode}.remedy`)}>{t(`failures.${failureCode}.sentence`)}</span>;
  if (trustValidationId === null) return null;
  return (
    <Link to={`/validations/${trustValidationId}`}>{t('palette.validation', { id: trustValidationId })}</Link>
  );
}
