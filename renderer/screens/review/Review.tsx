import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { ValidationRow } from '../../../core/contracts/dashboard/validations.ts';
import { validationQueryById, validationsQuery } from '../../api/validations.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useKeys } from '../../state/keys.ts';
import { undoStore } from '../../state/undo.ts';
import { Case } from './Case.tsx';
import './review.css';

/** Everything in Review Needed, one at a time, oldest first; made for the keyboard. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const list = useInfiniteQuery(validationsQuery({ status: 2, order: 'asc' }));
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.total;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const queue = useReviewQueue(rows);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && queue.index > rows.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, queue.index, rows.length]);
  usePrefetch(rows, queue.index);
  // Here, not in the case: the last decision can be taken back when no case is left.
  useKeys([{ keys: ['z'], label: t('keys.undo'), run: () => void undoStore.getState().undoLast() }]);
  return (
    <Page
      title={t('nav.review')}
      state={total === undefined ? undefined : t('review.state', { waiting: count(total) })}
      action={
        <Button component={Link} to="/validations?status=2" variant="default">
          {t('review.list')}
        </Button>
      }
    >
      {queue.id !== null ? (
        <OpenCase id={queue.id} go={queue.go} />
      ) : list.error !== null ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingRows />
      ) : (
        <EmptyState
          Icon={IconClipboardCheck}
          title={t('review.none')}
          action={
            <Button component={Link} to="/validations" variant="default">
              {t('review.toValidations')}
            </Button>
          }
        >
          {t('review.noneHelp')}
        </EmptyState>
      )}
    </Page>
  );
}

function OpenCase({ id, go }: { id: number; go: (to: number | 'next' | 'previous') => void }) {
  const query = useQuery(validationQueryById(id));
  return <Loaded query={query}>{(detail) => <Case key={id} detail={detail} go={go} />}</Loaded>;
}

/** Where the reviewer is. The address names the case, so that back and a copied link lead to it. */
function useReviewQueue(rows: readonly ValidationRow[]) {
  const navigate = useNavigate();
  const { id: inAddress } = useParams();
  const id = inAddress !== undefined && /^\d+$/.test(inAddress) ? Number(inAddress) : (rows[0]?.id ?? null);
  const found = rows.findIndex((row) => row.id === id);
  // A case that was decided leaves the list; its successor then stands where it stood.
  const [stood, setStood] = useState(0);
  const index = found >= 0 ? found : stood;
  useEffect(() => {
    if (found >= 0) setStood(found);
  }, [found]);
  const latest = useRef({ rows, index, found });
  useLayoutEffect(() => {
    latest.current = { rows, index, found };
  });
  const go = useCallback(
    (to: number | 'next' | 'previous') => {
      const now = latest.current;
      const after = now.found >= 0 ? now.index + 1 : now.index;
      const target =
        typeof to === 'number' ? to : now.rows[to === 'next' ? after : Math.max(0, now.index - 1)]?.id;
      void navigate(target === undefined ? '/review' : `/review/${target}`, {
        replace: typeof to !== 'number',
      });
    },
    [navigate],
  );
  return { id, index, go };
}

/** The next case is there before it is asked for, its photos too. */
function usePrefetch(rows: readonly ValidationRow[], index: number): void {
  const client = useQueryClient();
  const next = rows[index + 1]?.id;
  useEffect(() => {
    if (next === undefined) return;
    client
      .query({ ...validationQueryById(next), staleTime: 30_000 })
      .then(({ portrait, duplicates, blacklists }) => {
        const others = [...blacklists, ...duplicates].slice(0, 2).map((entry) => entry.portrait.imageUrl);
        for (const url of [portrait?.imageUrl, ...others]) if (url != null) new Image().src = url;
      })
      // The case shows the error when it is opened.
      .catch(() => undefined);
  }, [client, next]);
}
