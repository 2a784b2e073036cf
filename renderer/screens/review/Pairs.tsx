import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { validationQueryById, validationsQuery } from '../../api/validations.ts';
import { Page } from '../../components/Page.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { useKeys } from '../../state/keys.ts';
import { undoStore } from '../../state/undo.ts';
import { mustBeOpened, PairTile } from './PairTile.tsx';
import { usePairs, type Mark } from './usePairs.ts';
import './pairs.css';
import { useFormats } from '../../i18n/format.ts';

/** Pairs of one batch: as many as can be compared with care before they are applied. */
const BATCH = 24;
const BANDS = ['possible', 'strong'] as const;
type Band = (typeof BANDS)[number];

/** Several cases of one band at once, each as a pair of faces to be marked; one action stores all marks. */
export function Component() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { count } = useFormats();
  const lists = { possible: useCases('possible'), strong: useCases('strong') };
  // Without a band in the address the first one with cases, chosen once: a band does not change while it is worked on.
  const [filled, setFilled] = useState<Band>();
  if (filled === undefined && BANDS.every((each) => lists[each].data !== undefined))
    setFilled(BANDS.find((each) => lists[each].data?.pages[0]?.total !== 0) ?? 'possible');
  const band = BANDS.find((each) => each === params.get('band')) ?? filled ?? 'possible';
  const labelOf = (each: Band) => {
    const cases = lists[each].data?.pages[0]?.total;
    const name = t(`score.${each}`);
    return cases === undefined ? name : t('review.bandCount', { band: name, cases: count(cases) });
  };
  return (
    <Page
      title={t('review.pairs')}
      state={t('review.pairsState')}
      action={
        <span className="row">
          <SegmentedControl
            aria-label={t('review.band')}
            data={BANDS.map((value) => ({ value, label: labelOf(value) }))}
            value={band}
            onChange={(value) => setParams({ band: value }, { replace: true })}
          />
          <Button component={Link} to="/review" variant="default">
            {t('review.oneByOne')}
          </Button>
        </span>
      }
    >
      <Batches key={band} list={lists[band]} />
    </Page>
  );
}

/** The cases of a band: the most similar pairs of the strong band first, the least similar ones of the other. */
function useCases(band: Band) {
  const order = band === 'strong' ? 'desc' : 'asc';
  return useInfiniteQuery(validationsQuery({ status: 2, band, sort: 'score', order }));
}

/** A batch stays as it was read, so that no pair moves while it is marked. */
function Batches({ list }: { list: ReturnType<typeof useCases> }) {
  const { t } = useTranslation();
  const [batch, setBatch] = useState<readonly number[]>();
  const rows = list.data?.pages[0]?.items ?? [];
  const next = rows.slice(0, BATCH).map(({ id }) => id);
  if (batch === undefined && list.data !== undefined) setBatch(next);
  if (batch === undefined)
    return list.error === null ? (
      <LoadingRows />
    ) : (
      <ErrorState error={list.error} retry={() => void list.refetch()} />
    );
  if (batch.length === 0)
    return (
      <EmptyState Icon={IconClipboardCheck} title={t('review.pairsNone')}>
        {t('review.noneHelp')}
      </EmptyState>
    );
  return <Batch key={batch.join()} ids={batch} more={list.isFetching ? undefined : () => setBatch(next)} />;
}

function Batch({ ids, more }: { ids: readonly number[]; more: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { list } = useFormats();
  const client = useQueryClient();
  const pairs = usePairs();
  const [at, setAt] = useState(0);
  const move = (by: number) => setAt((now) => Math.max(0, Math.min(ids.length - 1, now + by)));
  const mark = (choice: Mark | undefined) => {
    const id = ids[at];
    const detail = id === undefined ? undefined : client.getQueryData(validationQueryById(id).queryKey);
    if (detail === undefined || pairs.storing || detail.status !== 2) return;
    if (choice === 'verify' && mustBeOpened(detail)) return;
    pairs.mark(detail.id, choice);
    move(1);
  };
  useKeys([
    { keys: ['j', 'ArrowRight', 'ArrowDown'], label: t('keys.next'), run: () => move(1) },
    { keys: ['k', 'ArrowLeft', 'ArrowUp'], label: t('keys.previous'), run: () => move(-1) },
    { keys: ['v'], label: t('decision.differentPerson'), run: () => mark('verify') },
    { keys: ['r'], label: t('decision.samePerson'), run: () => mark('reject') },
    { keys: ['x'], label: t('review.pairSkip'), run: () => mark(undefined) },
    { keys: ['Enter'], label: t('review.pairsApplyKey'), run: () => void pairs.apply() },
    { keys: ['z'], label: t('keys.undo'), run: () => void undoStore.getState().undoLast() },
  ]);
  const { marks, outcomes, storing } = pairs;
  const changed = ids.filter((id) => outcomes.get(id)?.kind === 'changed');
  return (
    <>
      <div className="pairs-bar row">
        <span className="soft" role="status">
          {changed.length > 0 && !storing
            ? t('review.pairsChanged', { count: changed.length, numbers: list(changed) })
            : t('review.pairsKeys')}
        </span>
        <span className="push row">
          {outcomes.size > 0 && marks.size === 0 ? (
            <Button variant="default" disabled={more === undefined} onClick={more}>
              {t('review.pairsNext')}
            </Button>
          ) : null}
          {marks.size > 0 ? (
            <Button loading={storing} onClick={() => void pairs.apply()}>
              {t('review.pairsApply', { count: marks.size })}
            </Button>
          ) : null}
        </span>
      </div>
      <ul className="pairs page-scroll" aria-label={t('review.pairs')}>
        {ids.map((id, index) => (
          <PairTile
            key={id}
            id={id}
            at={index === at}
            mark={marks.get(id)}
            outcome={outcomes.get(id)}
            busy={storing}
            choose={(choice) => pairs.mark(id, choice)}
            undo={() => pairs.undo(id)}
            select={() => setAt(index)}
          />
        ))}
      </ul>
    </>
  );
}
