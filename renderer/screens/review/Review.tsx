import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Kbd, TextInput } from '@mantine/core';
import { IconClipboardCheck, IconNote } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type {
  ValidationRow,
  Decision,
  ValidationDetail,
} from '../../../core/contracts/dashboard/validations.ts';
import {
  Action,
  Loaded,
  EmptyState,
  ErrorState,
  LoadingRows,
  ErrorLine,
  Page,
} from '../../components/Page.tsx';
import { validationQueryById, validationsQuery } from '../../api/validations.ts';
import { useWords } from '../../i18n/words.tsx';
import { leaveField, useChosenByKey } from '../../state/focus.ts';
import { useKeys } from '../../state/keys.ts';
import { undoStore } from '../../state/undo.ts';
import { decisionLabels, useDecision, DecisionButtons, useClearance } from '../validations/DecisionBar.tsx';
import { useCaseKeys, useTypedAhead, type TypedAhead } from './useTypedAhead.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { StatusBadge, Time } from '../../components/StatusBadge.tsx';
import { History, MatchCompare, MatchList, BlacklistAlert, Summary } from '../validations/MatchView.tsx';
import { matchesOf, validationName } from '../validations/matches.ts';
import './review.css';
import '../validations/validations.css';

/** Everything in Review Needed, one at a time, oldest first; made for the keyboard. */
export function Component() {
  const { t, count } = useWords();
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
          <Action label={t('review.toPairs')} to="/review/pairs" />
          <Action label={t('review.list')} to="/validations?status=2" />
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
          action={<Action label={t('review.toValidations')} to="/validations" />}
          help={t('review.noneHelp')}
        />
      )}
    </Page>
  );
}

function OpenCase(props: { id: number; go: (to: number | 'next' | 'previous') => void; keys: TypedAhead }) {
  const { id, go, keys } = props;
  const { t } = useWords();
  const query = useQuery(validationQueryById(id));
  const { data, error } = query;
  const labels = data && decisionLabels(data);
  const failed = data === undefined && error !== null;
  const key = useCaseKeys(keys, { id, loaded: data !== undefined, failed, go });
  useKeys([
    key('v', t(labels?.verify ?? 'decision.verify')),
    key('r', t(labels?.reject ?? 'decision.reject')),
    key('n', t('facts.note')),
    key('j', t('keys.next'), ['Forward']),
    key('k', t('keys.previous'), ['Back']),
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
  return (
    <>
      {/* A key opens the next case while the focus stays: assistive technology says which. */}
      <p className="sr-only" role="status">
        {data && validationName(t, data)}
      </p>
      <Loaded query={query}>{(detail) => <Case key={id} detail={detail} go={go} keys={keys} />}</Loaded>
    </>
  );
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

interface Props {
  detail: ValidationDetail;
  go: (to: number | 'next' | 'previous') => void;
  keys: TypedAhead;
}

/** One case: its matches, the two photos side by side, and the decision. */
function Case({ detail, go, keys }: Props) {
  const { t } = useWords();
  const matches = matchesOf(detail);
  const [chosenKey, setChosen] = useState(matches[0]?.key ?? '');
  const chosen = matches.find(({ key }) => key === chosenKey);
  const byKey = useChosenByKey('.match[aria-pressed=true]', chosenKey);
  const [note, setNote] = useState('');
  const noteField = useRef<HTMLInputElement>(null);
  const [drawn, setDrawn] = useState<string | null>(null);
  const draw = useCallback(() => setDrawn(chosenKey), [chosenKey]);
  const work = useDecision(go);
  const labels = decisionLabels(detail);
  const open = detail.status === TRUST_VALIDATION_STATUS.ReviewNeeded;
  const clearance = useClearance(detail, (decision) => {
    keys.show({ id: detail.id, drawn: true, act: null });
    work.mutate({ detail, decision, note }, { onSuccess: () => go('next'), onError: keys.discard });
  });
  const decide = (decision: Decision) => {
    // Keys that were typed ahead decide neither a case that another reviewer has decided, nor the question of a dialog.
    if (!open || work.isPending || clearance.ask(decision)) keys.discard();
  };
  const act = (key: string) => {
    if (key === 'v') decide('verify');
    else if (key === 'r') decide('reject');
    else if (key === 'j') go('next');
    else if (key === 'k') go('previous');
    else if (key === 'z') keys.hold(undoStore.getState().undoLast());
    else if (key !== 'n') {
      byKey();
      setChosen(matches[Number(key) - 1]?.key ?? chosenKey);
    } else {
      keys.discard();
      noteField.current?.focus();
    }
  };
  useLayoutEffect(() => {
    keys.show({ id: detail.id, drawn: drawn === chosenKey, act: work.isPending ? null : act });
  });
  return (
    <div className="paired">
      <div className="case-main page-scroll">
        <CaseHead detail={detail} />
        <BlacklistAlert detail={detail} />
        {chosen === undefined ? (
          <Summary detail={detail} drawn={draw} />
        ) : (
          <MatchCompare key={chosen.key} detail={detail} match={chosen} drawn={draw} />
        )}
      </div>
      <aside className="case-side paired-side" aria-label={t('review.decision')}>
        {matches.length === 0 ? (
          <p className="soft">{t('review.noMatches')}</p>
        ) : (
          <>
            <h2>{t('validations.matches')}</h2>
            <MatchList matches={matches} chosen={chosenKey} choose={setChosen} />
          </>
        )}
        <div className="case-decision column">
          <NoteField ref={noteField} value={note} change={setNote} />
          <ErrorLine error={work.error} />
          <DecisionButtons
            size="md"
            labels={labels}
            disabled={!open}
            keyOf={(decision) => <Kbd size="xs">{decision === 'verify' ? 'V' : 'R'}</Kbd>}
            choose={decide}
          />
          {clearance.dialog}
          <p className="soft case-meaning" role="status">
            {keys.waiting > 0
              ? t('review.waiting', { count: keys.waiting })
              : matches.length === 0
                ? null
                : t('review.meaning')}
          </p>
        </div>
        <h2>{t('validations.history')}</h2>
        <History entries={detail.history} source={detail.source} />
      </aside>
    </div>
  );
}

function NoteField(props: {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  change: (note: string) => void;
}) {
  const { ref, value, change } = props;
  const { t } = useWords();
  return (
    <TextInput
      ref={ref}
      label={t('facts.note')}
      description={t('review.noteHelp')}
      leftSection={<IconNote size={16} aria-hidden />}
      rightSection={<Kbd size="xs">N</Kbd>}
      maxLength={1000}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') leaveField(event.currentTarget);
      }}
    />
  );
}

function CaseHead({ detail }: { detail: ValidationDetail }) {
  const { t, flowName } = useWords();
  return (
    <div className="row case-head">
      <FaceThumbnail url={detail.thumbnailUrl} name={detail.name} size={40} />
      <div className="cut">
        <h2 dir="auto" className="cut">
          {validationName(t, detail)}
        </h2>
        <span className="soft case-line">
          {t('palette.validation', { id: detail.id })} · <bdi>{flowName(detail.trustFlowName)}</bdi> ·{' '}
          <bdi>
            <Time at={detail.createdAt} />
          </bdi>
        </span>
      </div>
      <span className="push">
        <StatusBadge of="validation" code={detail.status} source={detail.source} />
      </span>
    </div>
  );
}
