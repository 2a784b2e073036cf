import { useCallback, useEffect } from 'react';
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { groupQueryById, groupsQuery, reportGroup } from '../../api/duplicates.ts';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { ReportButton } from '../../components/ReportButton.tsx';
import { useTexts } from '../../i18n/useTexts.tsx';
import { useKeys } from '../../state/keys.ts';
import { useCaseKeys, useTypedAhead, type TypedAhead } from '../review/useTypedAhead.ts';
import { GroupCase } from './GroupCase.tsx';
import type { GoTo, GroupAddress } from './groupFilter.ts';
import { GroupStatus } from './GroupStatus.tsx';

/** One group, and the way to the next one in the order of the list. */
export function GroupReview({ id, address }: { id: number; address: GroupAddress }) {
  const { t } = useTranslation();
  const { language } = useTexts();
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
    key('j', t('duplicates.skip'), ['x', 'ArrowRight']),
    key('k', t('keys.previous'), ['ArrowLeft']),
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
          <Button
            component={Link}
            to={{ pathname: '/duplicates', search: address.search }}
            variant="default"
            leftSection={<IconArrowLeft size={16} className="mirrored" aria-hidden />}
          >
            {t('duplicates.back')}
          </Button>
          <ReportButton
            fileName={`vouch-duplicates-${id}.pdf`}
            make={() => reportGroup(id, language === 'ar' ? 'ar' : 'en')}
          />
        </span>
      }
    >
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
