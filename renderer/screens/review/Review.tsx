import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { ValidationRow } from '../../../core/contracts/dashboard/validations.ts';
import { validationQueryById, validationsQuery } from '../../api/validations.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useKeys } from '../../state/keys.ts';
import { undoStore } from '../../state/undo.ts';
import { decisionLabels } from '../validations/useDecision.ts';
import { Case } from './Case.tsx';
import { useCaseKeys, useTypedAhead, type TypedAhead } from './useTypedAhead.ts';
import './review.css';

/** Everything in Review Needed, one at a time, oldest first; made for the keyboard. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const list = useInfiniteQuery(validationsQuery({ status: 2, order: 'asc' }));
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.total;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const queue = useReviewQueue(rows, list.dataUpdatedAt);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && queue.index > rows.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, queue.index, rows.length]);
  usePrefetch(rows, queue.index);
  const keys = useTypedAhead();
  const { leave, hold, show } = keys;
  const { go: open } = queue;
  const go = useCallback((to: number | 'next' | 'previous') => leave(open(to)), [leave, open]);
  // The last decision can be undone when no case is left.
  useKeys([{ keys: ['z'], label: t('keys.undo'), run: () => keys.type('z') }]);
  const ended = queue.id === null && list.data !== undefined;
  useLayoutEffect(() => {
    if (!ended) return;
    const act = (key: string) => {
      if (key === 'z') hold(undoStore.getState().undoLast());
    };
    show({ id: null, drawn: true, act });
  }, [ended, hold, show]);
  return (
    <Page
      title={t('nav.review')}
      state={total === undefined ? undefined : t('review.state', { waiting: count(total) })}
      action={
        <span className="row">
          <Button component={Link} to="/review/pairs" variant="default">
            {t('review.toPairs')}
          </Button>
          <Button component={Link} to="/validations?status=2" variant="default">
            {t('review.list')}
          </Button>
        </span>
      }
    >
      {queue.id !== null ? (
        <OpenCase id={queue.id} go={go} keys={keys} />
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

function OpenCase(props: { id: number; go: (to: number | 'next' | 'previous') => void; keys: TypedAhead }) {
  const { id, go, keys } = props;
  const { t } = useTranslation();
  const query = useQuery(validationQueryById(id));
  const { data, error } = query;
  const labels = data && decisionLabels(data);
  const failed = data === undefined && error !== null;
  const key = useCaseKeys(keys, { id, loaded: data !== undefined, failed, go });
  useKeys([
    key('v', t(labels?.verify ?? 'decision.verify')),
    key('r', t(labels?.reject ?? 'decision.reject')),
    key('n', t('review.note')),
    key('j', t('keys.next'), ['ArrowRight']),
    key('k', t('keys.previous'), ['ArrowLeft']),
    {
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      shown: ['1–9'],
      label: t('review.chooseMatch'),
      run: (event) => keys.type(event.key),
    },
    ...(keys.waiting === 0
      ? []
      : [{ keys: ['Escape'], label: t('review.discard'), run: () => keys.discard() }]),
  ]);
  return <Loaded query={query}>{(detail) => <Case key={id} detail={detail} go={go} keys={keys} />}</Loaded>;
}

/** Where the reviewer is. The address names the case, so that back and a copied link lead to it. */
function useReviewQueue(rows: readonly ValidationRow[], listedAt: number) {
  const navigate = useNavigate();
  const { id: inAddress } = useParams();
  const client = useQueryClient();
  /** Decided in this browser after the list was read: such a row stays in the list until it is read again. */
  const isDecided = useCallback(
    ({ id: of }: ValidationRow) => {
      const seen = client.getQueryState(validationQueryById(of).queryKey);
      return (
        seen?.data !== undefined &&
        seen.dataUpdatedAt > listedAt &&
        seen.data.status !== TRUST_VALIDATION_STATUS.ReviewNeeded
      );
    },
    [client, listedAt],
  );
  const first = rows.find((row) => !isDecided(row))?.id ?? null;
  const id = inAddress !== undefined && /^\d+$/.test(inAddress) ? Number(inAddress) : first;
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
      const next = now.rows.slice(after).find((row) => !isDecided(row));
      const target =
        typeof to === 'number'
          ? to
          : (
              (to === 'next' ? next : now.rows[Math.max(0, now.index - 1)]) ??
              now.rows.find((row) => !isDecided(row))
            )?.id;
      void navigate(target === undefined ? '/review' : `/review/${target}`, {
        replace: typeof to !== 'number',
      });
      return target ?? null;
    },
    [navigate, isDecided],
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
      .then(({ faceImage, duplicates, blacklists }) => {
        const others = [...blacklists, ...duplicates].slice(0, 2).map((entry) => entry.faceImage.imageUrl);
        for (const url of [faceImage?.imageUrl, ...others]) if (url != null) new Image().src = url;
      })
      // The case shows the error when it is opened.
      .catch(() => undefined);
  }, [client, next]);
}
