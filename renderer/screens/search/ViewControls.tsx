import { useState, useRef } from 'react';
import { NumberInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { TARGET_FPIRS } from '../../../core/contracts/flows.ts';
import type { SearchAnswer } from '../../../core/contracts/dashboard/search.ts';
import {
  scoreAtRate,
  thresholdOf,
  THRESHOLD_RANGE,
  THRESHOLD_STEPS,
  type SearchView,
  DEFAULT_VIEW,
  searchView,
} from '../../../core/contracts/dashboard/searchView.ts';
import { Expected } from '../../components/Expected.tsx';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';
import { recordSearchView } from '../../api/validations.ts';

type Step = keyof typeof THRESHOLD_STEPS;
const STEPS = Object.keys(THRESHOLD_STEPS) as Step[];
/** Searches of unknown people of which one may raise a false alarm. */
const SEARCHES = TARGET_FPIRS.map((rate) => Math.round(1 / rate));

/** Threshold and lists of the shown candidates. They change no setting of the company. */
export function ViewControls({ answer, chosen }: { answer: SearchAnswer; chosen: ChosenView }) {
  const { view, change } = chosen;
  return (
    <div className="view-controls">
      <ThresholdChoice key={`${view.per} ${view.oneIn}`} view={view} change={change} />
      <ListChoice answer={answer} view={view} change={change} />
      <ThresholdMeaning answer={answer} view={view} />
    </div>
  );
}

function ThresholdChoice({ view, change }: Pick<ChosenView, 'view' | 'change'>) {
  const { t, count } = useWords();
  const isPerSearch = view.per === 'search';
  const step = STEPS.find((each) => THRESHOLD_STEPS[each] === view.oneIn);
  const [isFree, setFree] = useState(!isPerSearch && step === undefined);
  const [typed, setTyped] = useState<number | string>(view.oneIn);
  const range = { least: count(THRESHOLD_RANGE.least), most: count(THRESHOLD_RANGE.most) };
  const isValid =
    typeof typed === 'number' && typed >= THRESHOLD_RANGE.least && typed <= THRESHOLD_RANGE.most;
  const take = () => {
    if (isValid && (isPerSearch || typed !== view.oneIn)) change({ per: 'comparison', oneIn: typed });
  };
  return (
    <>
      <Select
        label={t('search.threshold')}
        data={[
          {
            group: t('search.perComparison'),
            items: [
              ...STEPS.map((each) => ({
                value: each as string,
                label: t(`search.step_${each}`, { comparisons: count(THRESHOLD_STEPS[each]) }),
              })),
              { value: 'free', label: t('search.stepFree') },
            ],
          },
          {
            group: t('search.perSearch'),
            items: SEARCHES.map((searches) => ({
              value: String(searches),
              label: t('search.stepSearches', { searches: count(searches) }),
            })),
          },
        ]}
        value={isFree ? 'free' : isPerSearch ? String(view.oneIn) : (step ?? 'free')}
        onChange={(next) => {
          setFree(next === 'free');
          const chosen = STEPS.find((each) => each === next);
          if (chosen !== undefined) change({ per: 'comparison', oneIn: THRESHOLD_STEPS[chosen] });
          else if (next !== null && next !== 'free') change({ per: 'search', oneIn: Number(next) });
        }}
      />
      {isFree ? (
        <NumberInput
          label={t('search.oneIn')}
          min={THRESHOLD_RANGE.least}
          max={THRESHOLD_RANGE.most}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          thousandSeparator={false}
          error={isValid ? undefined : t('settings.outside', range)}
          value={typed}
          onChange={setTyped}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
          }}
        />
      ) : null}
    </>
  );
}

function ListChoice({
  answer,
  view,
  change,
}: Pick<ChosenView, 'view' | 'change'> & { answer: SearchAnswer }) {
  const { t, count } = useWords();
  const lists = answer.watchlists.filter(({ id, faces }) => id !== null && (faces > 0 || id === view.list));
  const label = (name: string, faces: number) => t('search.listSize', { name, faces: count(faces) });
  const watchlist = answer.watchlists.find(({ id }) => id === null);
  return (
    <Select
      label={t('search.lists')}
      data={[
        { value: 'all', label: label(t('common.allLists'), answer.searchedFaces) },
        { value: 'watchlist', label: label(t('common.mainGallery'), watchlist?.faces ?? 0) },
        { value: 'blacklists', label: t('search.listBlacklists') },
        ...lists.map(({ id, name, faces }) => ({ value: String(id), label: label(name ?? '', faces) })),
      ]}
      value={String(view.list)}
      onChange={(next) => {
        if (next === 'all' || next === 'watchlist' || next === 'blacklists') change({ list: next });
        else if (next !== null) change({ list: Number(next) });
      }}
    />
  );
}

/** The threshold as a score, and the false matches that it lets through. */
function ThresholdMeaning({ answer, view }: { answer: SearchAnswer; view: SearchView }) {
  const { t, count, decimal } = useWords();
  const { rate, persons, alarms, isOutOfReach } = thresholdOf(answer, view);
  const twoDigits = (value: number) => Number(value.toPrecision(2));
  const score = decimal(scoreAtRate(answer.scale, rate));
  return (
    <div className="view-meaning">
      <p className="soft">
        {view.per === 'search'
          ? t('search.searchScore', { score, persons: count(persons) })
          : t('search.thresholdScore', { score, comparisons: count(view.oneIn) })}{' '}
        {isOutOfReach ? t('search.outOfReach') : null}{' '}
        {alarms === 0
          ? t('search.expectedNone')
          : alarms < 0.1
            ? t('search.expectedRare', { faces: count(twoDigits(1 / alarms)) })
            : alarms < 1
              ? t('search.expectedSome', { matches: count(Math.round(100 * alarms)) })
              : t('search.expectedSeveral', { matches: count(twoDigits(alarms)) })}
      </p>
      {alarms === 0 ? null : <Expected alarms={alarms} rate={rate} />}
    </div>
  );
}

export interface ChosenView {
  view: SearchView;
  /** Applies a choice once the service has recorded it with the search. */
  change: (part: Partial<SearchView>) => void;
  error: Error | null;
}

const KEYS = ['per', 'oneIn', 'list', 'below'] as const;

/** The view that the address names. An invalid value in the address is ignored. */
export function viewOf(params: URLSearchParams): SearchView {
  const given = KEYS.map((key) => [key, params.get(key)] as const).filter(([, value]) => value !== null);
  const good = given.filter(([key, value]) => searchView.safeParse({ [key]: value }).success);
  return searchView.parse(Object.fromEntries(good));
}

/**
 * Threshold, lists and candidates below the threshold: part of the address, and recorded with the search.
 * @param search the id of the result that is shown
 */
export function useSearchView(search: string): ChosenView {
  const [params, setParams] = useSearchParams();
  const view = viewOf(params);
  /** The last choice that is still being recorded: the next one builds on it. */
  const recorded = useRef<SearchView | null>(null);
  const recording = useMutation({
    // One after another, so that the last choice is also the last one that is recorded.
    scope: { id: `view-of-${search}` },
    mutationFn: (next: SearchView) => recordSearchView(search, next),
    onSettled: (_, _error, next) => {
      if (recorded.current === next) recorded.current = null;
    },
    onSuccess: (_, next) =>
      setParams(
        (now) => {
          const address = new URLSearchParams(now);
          for (const key of KEYS)
            if (next[key] === DEFAULT_VIEW[key]) address.delete(key);
            else address.set(key, String(next[key]));
          return address;
        },
        { replace: true },
      ),
  });
  const change = (part: Partial<SearchView>) => {
    const next = { ...(recorded.current ?? view), ...part };
    recorded.current = next;
    recording.mutate(next);
  };
  return { view, change, error: recording.error };
}
