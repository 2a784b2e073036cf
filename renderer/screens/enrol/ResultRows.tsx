import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useSmallEnough } from '../../components/imageSize.ts';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import { useRowKeys } from '../../components/list/useRowKeys.ts';
import type { Column } from '../../components/list/columns.ts';
import { VirtualRows } from '../../components/list/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { countsOf, type ItemState, type Run, type RunItem } from './run.ts';

const CODES: Record<ItemState, number> = {
  waiting: ITEM_STATUS.Pending,
  sent: ITEM_STATUS.Pending,
  enrolled: ITEM_STATUS.Enrolled,
  failed: ITEM_STATUS.Failed,
  refused: ITEM_STATUS.Failed,
};
const FILTERS = ['all', 'failed', 'enrolled'] as const;
type Filter = (typeof FILTERS)[number];

/** Every file of the run: its photo, where it is, why it failed and what to do. */
export function ResultRows({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const [filter, setFilter] = useState<Filter>('all');
  const columns = useColumns();
  const rows = useMemo(() => run.items.filter((item) => passes(item, filter)), [run.items, filter]);
  const counts = countsOf(run);
  const numbers = { all: counts.total, failed: counts.failed, enrolled: counts.enrolled };
  const navigate = useNavigate();
  const { target } = run;
  const openItem = ({ state, trustValidationId, faceId }: RunItem) => {
    if (state === 'failed') void navigate(`/enrol/failures?run=${run.id}&state=open`);
    else if (faceId !== null && target.kind === 'blacklist')
      void navigate(`/company/internal-biometrics/${target.id}?face=${faceId}`);
    else if (trustValidationId !== null) void navigate(`/validations/${trustValidationId}`);
  };
  const { cursor, open } = useRowKeys(rows, openItem, { rowKey: ({ key }) => key });
  return (
    <>
      <div className="filters">
        <SegmentedControl
          size="xs"
          aria-label={t('validations.status')}
          data={FILTERS.map((value) => ({
            value,
            label: `${t(value === 'all' ? 'common.all' : `status.${value}`)} ${count(numbers[value])}`,
          }))}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <VirtualRows
        label={t('enrol.results')}
        columns={columns}
        rows={rows}
        total={rows.length}
        rowKey={({ key }) => key}
        cursor={cursor}
        openKey={null}
        open={open}
        more={null}
      />
    </>
  );
}

function passes({ state }: RunItem, filter: Filter): boolean {
  if (filter === 'all') return true;
  return filter === 'failed' ? state === 'failed' || state === 'refused' : state === 'enrolled';
}

function useColumns(): Column<RunItem>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'photo',
        label: t('validations.column_face'),
        minWidth: 28,
        iconOnly: true,
        cell: (item) => <Thumbnail item={item} />,
      },
      {
        key: 'file',
        label: t('facts.file'),
        minWidth: 140,
        grow: 1,
        cell: ({ path }) => <Place path={path} />,
      },
      {
        key: 'status',
        label: t('validations.status'),
        minWidth: 110,
        cell: ({ state }) => <StatusBadge of="image" code={CODES[state]} />,
      },
      {
        key: 'reason',
        label: t('enrol.reason'),
        minWidth: 160,
        grow: 1,
        cell: (item) => <Outcome item={item} />,
      },
    ],
    [t],
  );
}

/** The name first: where there is little room, its folder gives way, which is that of many. */
function Place({ path }: { path: string }) {
  const at = path.lastIndexOf('/');
  return (
    <span title={path}>
      <bdi>{path.slice(at + 1)}</bdi>{' '}
      {at < 0 ? null : <bdi className="soft file-folder">{path.slice(0, at)}</bdi>}
    </span>
  );
}

function Outcome({ item }: { item: RunItem }) {
  const { t } = useTranslation();
  const { failureCode, reason, state, trustValidationId } = item;
  if (failureCode !== null) {
    return `${t(`failures.${failureCode}.sentence`)} ${t(`failures.${failureCode}.remedy`)}`;
  }
  if (state === 'refused') return reason ?? t('enrol.skip_unreadable');
  if (trustValidationId === null) return null;
  // With its own key, so that the focus never passes to the link of another row.
  return (
    <Link key={trustValidationId} to={`/validations/${trustValidationId}`}>
      {t('palette.validation', { id: trustValidationId })}
    </Link>
  );
}

/**
 * The aligned face of an enrolled photo; before that, and after a failure, the photo itself from the disk. A photo that
 * the service reads in its folder is not available to the page.
 */
function Thumbnail({ item }: { item: RunItem }) {
  const { thumbnailUrl, file, path } = item;
  const local = useObjectUrl(useSmallEnough(thumbnailUrl === null && file instanceof File ? file : null));
  const url = thumbnailUrl ?? local;
  return url === null ? null : <FaceThumbnail key={url} url={url} name={path} />;
}
