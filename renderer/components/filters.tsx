import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTexts } from '../i18n/useTexts.tsx';
import { useKeys } from '../state/keys.ts';

/**
 * Keys that follow each other faster than this are one request, milliseconds. The first one is sent at once: typing is
 * slower than this, and text from a scanner or the clipboard arrives as a whole.
 */
const PAUSE_MS = 40;

/** The filters above a list. The button that removes them appears once one is set. */
export function FilterBar(props: {
  address: { filtered: boolean; clear: () => void };
  label?: string;
  children: ReactNode;
  /** Controls that are not filters, at the other end of the bar. */
  end?: ReactNode;
}) {
  const { address, label, children, end } = props;
  const { t } = useTexts();
  return (
    <div className="filters" role="search" aria-label={label ?? t('validations.filters')}>
      {children}
      {address.filtered ? (
        <Button size="compact-sm" variant="subtle" onClick={address.clear}>
          {t('validations.clear')}
        </Button>
      ) : null}
      {end === undefined ? null : <span className="push row">{end}</span>}
    </div>
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
  const { t } = useTexts();
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
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
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
