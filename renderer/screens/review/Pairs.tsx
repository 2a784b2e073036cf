import { useState, useRef } from 'react';
import { IconClipboardCheck, IconArrowBackUp } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { ValidationDetail, Decision } from '../../../core/contracts/dashboard/validations.ts';
import { errorOf } from '../../../core/contracts/errors/problem.ts';
import { Action, Page, EmptyState, ErrorState, LoadingRows, ErrorLine } from '../../components/Page.tsx';
import { validationQueryById, validationsQuery, decide } from '../../api/validations.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useKeys } from '../../state/keys.ts';
import { undoStore } from '../../state/undo.ts';
import { useWords } from '../../i18n/words.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScoreScale } from '../../components/ScoreScale.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { matchesOf, validationName } from '../validations/matches.ts';
import { clearedHits } from '../validations/DecisionBar.tsx';
import { ApiError } from '../../api/client.ts';
import './review.css';

/** Pairs of one batch: as many as can be compared with care before they are applied. */
const BATCH = 24;
const BANDS = ['possible', 'strong'] as const;
type Band = (typeof BANDS)[number];

/** Several cases of one band at once, each as a pair of faces to be marked; one action stores all marks. */
export function Component() {
  const { t, count } = useWords();
  const [params, setParams] = useSearchParams();
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
          <Action label={t('review.oneByOne')} to="/review" />
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
  const { t } = useWords();
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
    return <EmptyState Icon={IconClipboardCheck} title={t('review.pairsNone')} help={t('review.noneHelp')} />;
  return <Batch key={batch.join()} ids={batch} more={list.isFetching ? undefined : () => setBatch(next)} />;
}

function Batch({ ids, more }: { ids: readonly number[]; more: (() => void) | undefined }) {
  const { t, list } = useWords();
  const client = useQueryClient();
  const pairs = usePairs();
  const [at, setAt] = useState(0);
  const [marked, setMarked] = useState<string>();
  const tiles = useRef<HTMLUListElement>(null);
  // The tile has the focus, which reads it, and scrolls to it.
  const move = (by: number) => {
    const to = Math.max(0, Math.min(ids.length - 1, at + by));
    setAt(to);
    tiles.current?.querySelectorAll<HTMLElement>('.pair')[to]?.focus();
  };
  const mark = (choice: Mark | undefined) => {
    const id = ids[at];
    const detail = id === undefined ? undefined : client.getQueryData(validationQueryById(id).queryKey);
    if (detail === undefined || pairs.storing || detail.status !== 2) return;
    if (choice === 'verify' && mustBeOpened(detail)) return;
    pairs.mark(detail.id, choice);
    setMarked(
      `${t('palette.validation', { id: detail.id })}: ${t(choice === undefined ? 'review.pairSkip' : MARKED[choice])}`,
    );
    move(1);
  };
  useKeys([
    { keys: ['j', 'Forward', 'ArrowDown'], label: t('keys.next'), run: () => move(1) },
    { keys: ['k', 'Back', 'ArrowUp'], label: t('keys.previous'), run: () => move(-1) },
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
            : (marked ?? t('review.pairsKeys'))}
        </span>
        <span className="push row">
          {outcomes.size > 0 && marks.size === 0 ? (
            <Action label={t('review.pairsNext')} disabled={more === undefined} onClick={more} />
          ) : null}
          {marks.size > 0 ? (
            <Action
              primary
              label={t('review.pairsApply', { count: marks.size })}
              loading={storing}
              onClick={() => void pairs.apply()}
            />
          ) : null}
        </span>
      </div>
      <ul ref={tiles} className="pairs page-scroll" aria-label={t('review.pairs')}>
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

interface Props {
  id: number;
  at: boolean;
  mark: Mark | undefined;
  outcome: PairOutcome | undefined;
  busy: boolean;
  choose: (mark: Mark | undefined) => void;
  undo: () => Promise<void>;
  select: () => void;
}

/** One case of the grid: its face beside its best match, the score, and the mark. */
function PairTile(props: Props) {
  const { id, at, mark, outcome, select } = props;
  const { t } = useWords();
  const { data, error } = useQuery(validationQueryById(id));
  return (
    <li
      tabIndex={-1}
      className={`pair${at ? ' pair-at' : ''}${mark === undefined ? '' : ` pair-${mark}`}`}
      aria-current={at}
      aria-label={t('palette.validation', { id })}
      onPointerDown={select}
    >
      {data === undefined ? <ErrorLine error={error} /> : <Pair detail={data} {...props} />}
      {outcome?.kind === 'failed' ? <ErrorLine error={outcome.error} /> : null}
    </li>
  );
}

function Pair({ detail, mark, outcome, busy, choose, undo }: Props & { detail: ValidationDetail }) {
  const { t } = useWords();
  const matches = matchesOf(detail);
  const [best] = matches.toSorted((one, other) => other.reading.score - one.reading.score);
  const own = best?.earlierSelfie ?? detail.faceImage;
  const name = validationName(t, detail);
  const open = detail.status === TRUST_VALIDATION_STATUS.ReviewNeeded;
  return (
    <>
      <div className="pair-faces">
        <FaceThumbnail url={own?.thumbnailUrl ?? null} name={name} size={128} />
        {best === undefined ? null : (
          <FaceThumbnail url={best.faceImage.thumbnailUrl} name={best.name} size={128} />
        )}
      </div>
      <div className="pair-names">
        <Link dir="auto" className="cut" to={`/review/${detail.id}`}>
          {name}
        </Link>
        {best === undefined ? null : (
          <span dir="auto" className="cut">
            {best.name}
            <small dir="auto" className="soft cut">
              {best.list ?? t('validations.duplicateDetected')}
            </small>
          </span>
        )}
      </div>
      {best === undefined ? null : <ScoreScale reading={best.reading} />}
      {matches.length > 1 ? (
        <p className="soft">{t('review.pairMore', { count: matches.length - 1 })}</p>
      ) : null}
      {open ? (
        <PairMarks strong={mustBeOpened(detail)} mark={mark} busy={busy} choose={choose} />
      ) : (
        <div className="row">
          <StatusBadge of="validation" code={detail.status} source={detail.source} />
          {outcome?.kind === 'stored' ? <UndoOne undo={undo} /> : null}
          {outcome?.kind === 'changed' ? <span className="soft">{t('review.pairChanged')}</span> : null}
        </div>
      )}
    </>
  );
}

/** Whether a person can only be cleared in the case itself, where the confirmation shows each strong blacklist hit. */
function mustBeOpened(detail: ValidationDetail): boolean {
  return clearedHits(detail, 'verify').length > 0;
}

function PairMarks(props: {
  strong: boolean;
  mark: Mark | undefined;
  busy: boolean;
  choose: (mark: Mark | undefined) => void;
}) {
  const { strong, mark, busy, choose } = props;
  const { t } = useWords();
  const toggle = (which: Mark) => () => choose(mark === which ? undefined : which);
  return (
    <>
      <div className="pair-marks">
        <Action
          variant={mark === 'verify' ? 'filled' : 'default'}
          size="xs"
          color="green"
          label={t('decision.differentPerson')}
          aria-pressed={mark === 'verify'}
          disabled={strong || busy}
          onClick={toggle('verify')}
        />
        <Action
          variant={mark === 'reject' ? 'filled' : 'default'}
          size="xs"
          color="red"
          label={t('decision.samePerson')}
          aria-pressed={mark === 'reject'}
          disabled={busy}
          onClick={toggle('reject')}
        />
      </div>
      {strong ? <p className="soft">{t('review.pairStrong')}</p> : null}
    </>
  );
}

function UndoOne({ undo }: { undo: () => Promise<void> }) {
  const { t } = useWords();
  const [error, setError] = useState<Error | null>(null);
  const run = () => {
    undo().catch((cause: unknown) => setError(errorOf(cause)));
  };
  return (
    <>
      <Action size="compact-sm" Icon={IconArrowBackUp} label={t('common.undo')} onClick={run} />
      <ErrorLine error={error} />
    </>
  );
}

type Mark = Exclude<Decision, 'review'>;

/** The outcome of one decision of the batch. */
type PairOutcome =
  | { kind: 'stored'; detail: ValidationDetail }
  /** Another reviewer was first. */
  | { kind: 'changed' }
  | { kind: 'failed'; error: Error };

const MARKED = { verify: 'decision.differentPerson', reject: 'decision.samePerson' } as const;
const NOTES = { verify: 'review.noteGridVerify', reject: 'review.noteGridReject' } as const;

/**
 * The marks of a batch of cases, and storing them. Each mark is a decision of its own: one that is refused is shown at its
 * case, and the others are stored. Each stored decision can be undone, and for ten seconds all of them at once.
 */
function usePairs() {
  const { t } = useWords();
  const client = useQueryClient();
  const [marks, setMarks] = useState<ReadonlyMap<number, Mark>>(new Map());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, PairOutcome>>(new Map());
  const [storing, setStoring] = useState(false);
  const latest = useRef(outcomes);
  const keep = (id: number, outcome: PairOutcome | undefined) => {
    const next = new Map(latest.current);
    if (outcome === undefined) next.delete(id);
    else next.set(id, outcome);
    latest.current = next;
    setOutcomes(next);
  };
  const mark = (id: number, choice: Mark | undefined) =>
    setMarks((now) => {
      const next = new Map(now);
      if (choice === undefined) next.delete(id);
      else next.set(id, choice);
      return next;
    });
  const store = async (id: number, choice: Mark) => {
    const seen = client.getQueryData(validationQueryById(id).queryKey);
    if (seen === undefined) return;
    try {
      const detail = await decide(id, { decision: choice, note: t(NOTES[choice]), seenStatus: seen.status });
      client.setQueryData(validationQueryById(id).queryKey, detail);
      keep(id, { kind: 'stored', detail });
    } catch (cause) {
      const error = errorOf(cause);
      const changed = error instanceof ApiError && error.status === 409;
      keep(id, changed ? { kind: 'changed' } : { kind: 'failed', error });
      if (changed) await client.invalidateQueries({ queryKey: validationQueryById(id).queryKey });
    }
    mark(id, undefined);
  };
  const undo = async (id: number) => {
    const outcome = latest.current.get(id);
    if (outcome?.kind !== 'stored') return;
    const { status } = outcome.detail;
    const detail = await decide(id, { decision: 'review', note: t('decision.undoNote'), seenStatus: status });
    client.setQueryData(validationQueryById(id).queryKey, detail);
    keep(id, undefined);
  };
  const refresh = () => client.invalidateQueries({ queryKey: ['validations', 'list'] });
  /** Undoes all that can be undone. @throws the first refusal, after the others were undone */
  const undoAll = async (ids: readonly number[]) => {
    const results = [];
    for (const id of ids) results.push(...(await Promise.allSettled([undo(id)])));
    await refresh();
    const refused = results.find(({ status }) => status === 'rejected');
    if (refused?.status === 'rejected') throw refused.reason;
  };
  const apply = async () => {
    if (storing || marks.size === 0) return;
    setStoring(true);
    const batch = [...marks];
    for (const [id, choice] of batch) await store(id, choice);
    setStoring(false);
    const stored = batch.map(([id]) => id).filter((id) => latest.current.get(id)?.kind === 'stored');
    if (stored.length > 0)
      undoStore.getState().offer(t('review.pairsStored', { count: stored.length }), () => undoAll(stored));
    await refresh();
  };
  return { marks, outcomes, storing, mark, apply, undo: (id: number) => undoAll([id]) };
}
