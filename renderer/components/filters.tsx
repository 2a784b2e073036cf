import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, CloseButton, TextInput, Popover } from '@mantine/core';
import { IconSearch, IconCalendar } from '@tabler/icons-react';
import { Action } from './Page.tsx';
import { SegmentedControl } from './SegmentedControl.tsx';
import { useWords } from '../i18n/words.tsx';
import { leaveField } from '../state/focus.ts';
import { useKeys } from '../state/keys.ts';
import { dayOf, startOfDay } from '../i18n/days.ts';
import type { AddressFilter } from './useAddressFilter.ts';

/**
 * Keys that follow each other faster than this are one request, milliseconds. The first one is sent at once: typing is
 * slower than this, and text from a scanner or the clipboard arrives as a whole.
 */
const PAUSE_MS = 40;

/** The filters above a list. The button that removes them appears once one is set. */
export function FilterBar(props: {
  address: { filtered: boolean; clear: () => void };
  children: ReactNode;
  /** Controls that are not filters, at the other end of the bar. */
  end?: ReactNode;
}) {
  const { address, children, end } = props;
  const { t } = useWords();
  return (
    <div className="filters" role="search" aria-label={t('common.filters')}>
      {children}
      {address.filtered ? (
        <Action variant="subtle" size="compact-sm" label={t('common.clearFilters')} onClick={address.clear} />
      ) : null}
      {end === undefined ? null : <span className="push row">{end}</span>}
    </div>
  );
}

type ShownStatus = 'all' | 'enrolled' | 'failed' | 'pending';

/** Which photos of a list are shown, by their status. `numbers`: of each, shown beside its word. */
export function StatusFilter<S extends ShownStatus>(props: {
  states: readonly S[];
  numbers?: Record<S, number>;
  value: S;
  onChange: (value: S) => void;
}) {
  const { states, numbers, value, onChange } = props;
  const { t, count } = useWords();
  const label = (state: ShownStatus) => t(state === 'all' ? 'common.all' : `status.${state}`);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('common.status')}
      data={states.map((state) => ({
        value: state,
        label: numbers === undefined ? label(state) : `${label(state)} ${count(numbers[state])}`,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** A text filter: the service is asked when no key came for a moment. `slash`: the key / focuses it. */
export const TypedFilter = memo(function TypedFilter(props: {
  label: string;
  placeholder?: string;
  text: string;
  set: (text: string) => void;
  slash?: boolean;
}) {
  const { label, placeholder, text, set, slash } = props;
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  // Texts that were requested and are not in the address yet: the address of the first letters must not remove letters
  // that were typed since.
  const asked = useRef<string[]>([]);
  const later = useThrottled((value: string) => {
    const wanted = value.trim();
    if (wanted === (asked.current.at(-1) ?? text)) return;
    asked.current.push(wanted);
    set(wanted);
  }, PAUSE_MS);
  useEffect(() => {
    const own = asked.current.indexOf(text);
    if (own >= 0) asked.current.splice(0, own + 1);
    else setTyped((now) => (now.trim() === text ? now : text));
  }, [text]);
  useKeys(
    slash === true ? [{ keys: ['/'], label: t('keys.filter'), run: () => field.current?.focus() }] : [],
  );
  const type = (value: string) => {
    setTyped(value);
    later(value);
  };
  return (
    <TextInput
      ref={field}
      size="xs"
      w={200}
      aria-label={label}
      placeholder={placeholder ?? label}
      leftSection={<IconSearch size={14} stroke={1.6} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <CloseButton size="xs" aria-label={t('common.clear')} onClick={() => type('')} />
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') leaveField(event.currentTarget);
      }}
    />
  );
});

/**
 * Runs at once with the first value, and of those that follow within the pause with the last, when no more come. A
 * leading debounce alone drops what follows the first.
 * @param pause milliseconds
 */
function useThrottled<T>(run: (value: T) => void, pause: number): (value: T) => void {
  const latestRun = useRef(run);
  const timer = useRef<number>(undefined);
  const waiting = useRef<{ value: T }>(undefined);
  useEffect(() => {
    latestRun.current = run;
  });
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (value) => {
    if (timer.current === undefined) latestRun.current(value);
    else {
      window.clearTimeout(timer.current);
      waiting.current = { value };
    }
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      const last = waiting.current;
      waiting.current = undefined;
      if (last !== undefined) latestRun.current(last.value);
    }, pause);
  };
}

/** Spans that end today, by how many days they began before. */
const SPANS = [
  ['today', 0],
  ['lastWeek', 6],
  ['lastMonth', 29],
] as const;

type Address = Pick<AddressFilter<never, unknown>, 'value' | 'set' | 'setAll'>;

/** Which days a list shows, from the first to the last, both of the reader's zone; opened: the usual spans, or any. */
export function DayRange({ address }: { address: Address }) {
  const { set, setAll, value } = address;
  return <Days from={value('from')} to={value('to')} set={set} setAll={setAll} />;
}

interface DaysProps extends Pick<Address, 'set' | 'setAll'> {
  from: string;
  to: string;
}

const Days = memo(function Days({ set, setAll, ...days }: DaysProps) {
  const { t } = useWords();
  const words = useDayWords(days.from, days.to);
  const choose = (count: number) => {
    const now = new Date();
    const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - count);
    setAll({ from: dayOf(first), to: dayOf(now) });
  };
  return (
    <Popover position="bottom-start" width={260} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={15} stroke={1.6} aria-hidden />}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="column">
        <div className="row wrap">
          {SPANS.map(([word, count]) => (
            <Action key={word} size="compact-sm" label={t(`days.${word}`)} onClick={() => choose(count)} />
          ))}
        </div>
        {(['from', 'to'] as const).map((key) => (
          <TextInput
            key={key}
            size="xs"
            type="date"
            label={t(`validations.${key}`)}
            value={days[key]}
            onChange={(event) => set(key, event.currentTarget.value)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
});

/** The chosen days in words; a day that is none filters nothing. */
function useDayWords(from: string, to: string): string {
  const { t, date } = useWords();
  const [first, last] = [startOfDay(from), startOfDay(to)];
  if (first === undefined) return last === undefined ? t('days.any') : t('days.until', { day: date(last) });
  if (last === undefined) return t('days.since', { day: date(first) });
  return first === last ? date(first) : t('days.between', { first: date(first), last: date(last) });
}
