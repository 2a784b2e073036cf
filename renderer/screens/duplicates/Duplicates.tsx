import { useCallback, useEffect, useMemo } from 'react';
import {
  IconChecks,
  IconCircleCheck,
  IconCopy,
  IconDownload,
  IconSearch,
  IconArrowLeft,
  IconCircleDashed,
  IconCircleDotted,
  IconCircleX,
  IconHelpCircle,
  IconReplace,
  IconUserCheck,
  type Icon,
} from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { GroupRow, GroupState } from '../../../core/contracts/dashboard/duplicates.ts';
import { Action, Page, EmptyState, Loaded } from '../../components/Page.tsx';
import {
  duplicateRunsQuery,
  exportGroups,
  groupsQuery,
  groupQueryById,
  reportGroup,
} from '../../api/persons.ts';
import { downloadFile, ExportButton, ReportButton } from '../../components/ExportButton.tsx';
import { column, useInfiniteRows, type Column } from '../../components/list/columns.ts';
import { ListPage, NoneFiltered } from '../../components/list/ListBody.tsx';
import { useWords } from '../../i18n/words.tsx';
import { Filters, useGroupAddress, type GroupAddress, type GoTo } from './Filters.tsx';
import { RunCard, StartRun } from './RunCard.tsx';
import { useKeys } from '../../state/keys.ts';
import { useCaseKeys, useTypedAhead, type TypedAhead } from '../review/useTypedAhead.ts';
import { GroupCase } from './GroupCase.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Time, StatusMark, type Tone } from '../../components/StatusBadge.tsx';
import { useCertainty } from './groupParts.tsx';
import './duplicates.css';

const PLACE = '/duplicates';

/** The groups of possible duplicates; the start of a search beside them, or one group in their place. */
export function Component() {
  const { id } = useParams();
  const address = useGroupAddress();
  if (id !== undefined && /^\d+$/.test(id)) return <GroupReview id={Number(id)} address={address} />;
  return <Groups address={address} starting={id === 'find'} />;
}

function Groups({ address, starting }: { address: GroupAddress; starting: boolean }) {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const columns = useGroupColumns();
  const runs = useQuery(duplicateRunsQuery);
  const query = useInfiniteQuery({
    ...groupsQuery(address.filter),
    placeholderData: keepPreviousData,
  });
  const list = useInfiniteRows(query);
  const total = list.first?.total;
  const go = (to: string) => void navigate({ pathname: `${PLACE}${to}`, search: address.search });
  const find = (
    <Action
      may="duplicates:run"
      primary
      Icon={IconSearch}
      label={t('actions.findDuplicates')}
      onClick={() => go('/find')}
    />
  );
  const neverRun = runs.data?.items.length === 0 && runs.data.current === null;
  return (
    <ListPage
      title={t('nav.duplicates')}
      label={t('duplicates.list')}
      state={total === undefined ? undefined : t('duplicates.state', { count: total, total: count(total) })}
      action={
        <span className="row wrap">
          <ExportButton
            label={t('common.downloadCsv')}
            icon={<IconDownload size={16} aria-hidden />}
            run={() => exportGroups(address.filter)}
            done={(file) => downloadFile('vouch-duplicates.csv', file)}
          />
          {total !== undefined && total > 0 ? (
            <Action
              Icon={IconChecks}
              label={t('duplicates.sampleLink')}
              to={{ pathname: `${PLACE}/sample`, search: address.search }}
            />
          ) : null}
          {find}
        </span>
      }
      above={
        <>
          {runs.data === undefined || neverRun ? null : <RunCard runs={runs.data} />}
          <Filters address={address} />
        </>
      }
      beside={starting ? <StartRun runs={runs.data} close={() => go('')} /> : null}
      list={list}
      none={
        neverRun ? (
          <EmptyState
            Icon={IconCopy}
            title={t('duplicates.none')}
            action={find}
            help={t('duplicates.noneHelp')}
          />
        ) : address.filtered ? (
          <NoneFiltered title={t('duplicates.noneFiltered')} clear={address.clear} />
        ) : (
          <EmptyState
            Icon={IconCircleCheck}
            title={t('duplicates.noneOpen')}
            help={t(runs.data?.current == null ? 'duplicates.noneOpenHelp' : 'duplicates.noneOpenRunning')}
          />
        )
      }
      columns={columns}
      rowKey={(row) => row.id}
      openKey={null}
      open={(row) => go(`/${row.id}`)}
    />
  );
}

/** One group, and the way to the next one in the order of the list. */
function GroupReview({ id, address }: { id: number; address: GroupAddress }) {
  const { t, language } = useWords();
  const keys = useTypedAhead();
  const go = useGroupOrder(id, address, keys);
  const query = useQuery(groupQueryById(id));
  const { data, error } = query;
  const failed = data === undefined && error !== null;
  const key = useCaseKeys(keys, { id, loaded: data !== undefined, failed, go });
  useKeys([
    key('s', t('duplicates.same')),
    key('d', t('duplicates.different')),
    key('u', t('duplicates.unsure')),
    key('j', t('duplicates.skip'), ['x', 'Forward']),
    key('k', t('keys.previous'), ['Back']),
    key('n', t('duplicates.nextPair'), ['ArrowDown']),
    key('p', t('duplicates.previousPair'), ['ArrowUp']),
    key('z', t('keys.undo')),
    { keys: ['Escape'], label: t('duplicates.back'), run: () => go('list') },
  ]);
  return (
    <Page
      title={t('duplicates.group', { id })}
      state={data === undefined ? undefined : <GroupStatus state={data.state} />}
      action={
        <span className="row wrap">
          <Action
            Icon={IconArrowLeft}
            mirrored
            label={t('duplicates.back')}
            to={{ pathname: '/duplicates', search: address.search }}
          />
          <ReportButton
            fileName={`vouch-duplicates-${id}.pdf`}
            make={() => reportGroup(id, language === 'ar' ? 'ar' : 'en')}
          />
        </span>
      }
    >
      <p className="sr-only" role="status">
        {t('duplicates.group', { id })}
      </p>
      <Loaded query={query}>{(detail) => <GroupCase key={id} detail={detail} go={go} keys={keys} />}</Loaded>
    </Page>
  );
}

/** Steps through the groups as the list orders them. The next one is loaded before it is opened. */
function useGroupOrder(id: number, address: GroupAddress, keys: TypedAhead): GoTo {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { rows, loadMore } = useInfiniteRows(useInfiniteQuery(groupsQuery(address.filter)));
  const index = rows.findIndex((row) => row.id === id);
  const next = rows[index + 1]?.id;
  useEffect(() => {
    if (loadMore !== null && index > rows.length - 20) loadMore();
  }, [index, rows.length, loadMore]);
  useEffect(() => {
    if (next === undefined) return;
    client
      .query({ ...groupQueryById(next), staleTime: 30_000 })
      .then(({ faces }) => {
        for (const { faceImage } of faces.slice(0, 4))
          if (faceImage.imageUrl !== null) new Image().src = faceImage.imageUrl;
      })
      // The group shows the error when it is opened.
      .catch(() => undefined);
  }, [client, next]);
  const { leave } = keys;
  return useCallback(
    (to) => {
      const target = typeof to === 'number' ? to : to === 'next' ? next : rows[Math.max(0, index - 1)]?.id;
      leave(to === 'list' ? null : (target ?? null));
      const pathname = to === 'list' || target === undefined ? '/duplicates' : `/duplicates/${target}`;
      void navigate({ pathname, search: address.search }, { replace: typeof to !== 'number' });
    },
    [navigate, address.search, rows, index, next, leave],
  );
}

/** The columns of the list of groups. */
function useGroupColumns(): Column<GroupRow>[] {
  const { t, count, decimal, list } = useWords();
  const share = useCertainty();
  return useMemo(
    () => [
      column('faces', t('duplicates.column_faces'), { minWidth: 132, iconOnly: true }, ({ faces }) => (
        <span className="group-faces">
          {faces.map(({ id, name, faceImage }) => (
            <FaceThumbnail key={id} url={faceImage.thumbnailUrl} name={name} />
          ))}
        </span>
      )),
      column('names', t('duplicates.column_names'), { minWidth: 160, grow: 2 }, ({ faces, size }) => {
        const names = list([...new Set(faces.map(({ name }) => name))]);
        return (
          <div dir="auto" className="cut">
            {size > faces.length ? t('duplicates.moreNames', { names, count: size - faces.length }) : names}
          </div>
        );
      }),
      column('size', t('facts.photos'), 60, ({ size }) => count(size)),
      column('certainty', t('duplicates.column_certainty'), 130, ({ identical, certainty }) =>
        identical ? t('duplicates.identical') : share(certainty),
      ),
      column(
        'similarity',
        t('duplicates.column_similarity'),
        { minWidth: 130, dropOrder: 8 },
        ({ reading }) => `${decimal(reading.score)} (${t(`score.${reading.band}`)})`,
      ),
      column('state', t('common.status'), 130, ({ state }) => <GroupStatus state={state} />),
      column('changed', t('common.lastChange'), { minWidth: 170, dropOrder: 9 }, ({ changedAt }) => (
        <Time at={changedAt} />
      )),
    ],
    [t, count, decimal, list, share],
  );
}

const APPEARANCES: Record<GroupState, { tone: Tone; Icon: Icon }> = {
  proposed: { tone: 'warn', Icon: IconCircleDashed },
  partlyDecided: { tone: 'warn', Icon: IconCircleDotted },
  awaitingConfirmation: { tone: 'warn', Icon: IconUserCheck },
  accepted: { tone: 'good', Icon: IconCircleCheck },
  rejected: { tone: 'calm', Icon: IconCircleX },
  deferred: { tone: 'busy', Icon: IconHelpCircle },
  superseded: { tone: 'calm', Icon: IconReplace },
};

/** The state of a group as icon, word and colour. */
function GroupStatus({ state }: { state: GroupState }) {
  const { t } = useWords();
  return <StatusMark {...APPEARANCES[state]} label={t(`duplicates.state_${state}`)} />;
}
