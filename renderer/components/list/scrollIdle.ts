import { createContext, use, useEffect, useLayoutEffect, useMemo, useState } from 'react';

/** A list that is scrolled through its own height in less than this shows no picture long enough to be seen; milliseconds. */
const SEEN = 300;
/** How long it has been slower than that before the pictures of its rows are asked for, milliseconds. */
const REST = 100;

/** Whether a list flies by, and who waits until it does not. */
export interface ScrollIdleState {
  isFast: () => boolean;
  /** Runs it once the list stands or is slow. @returns takes that back */
  onScrollIdle: (run: () => void) => () => void;
}

/** Given by a list to what is in its rows; null: in no list. */
export const ScrollIdle = createContext<ScrollIdleState | null>(null);

/**
 * Watches how fast a list is scrolled. Sixty rows fly by in a second under a hand on the scroll bar: asking for the
 * picture of each took half of the time of a frame, and of the core, for nothing that anybody can see.
 */
export function useScrollIdleState(scroller: { readonly current: HTMLElement | null }): ScrollIdleState {
  const { pace, scrolled } = useMemo(createScrollIdleState, []);
  // Before the list itself hears of it, so that its new rows know, and while nothing in the page has changed yet.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const watch = ({ timeStamp }: Event) => scrolled(element.scrollTop, timeStamp, element.clientHeight);
    element.addEventListener('scroll', watch, { passive: true });
    return () => element.removeEventListener('scroll', watch);
  }, [scroller, scrolled]);
  return pace;
}

function createScrollIdleState() {
  const waiting = new Set<() => void>();
  let last = { top: 0, at: 0 };
  let flying = false;
  let fastAt = 0;
  const look = () => {
    if (performance.now() - fastAt < REST) {
      lookLater();
      return;
    }
    flying = false;
    const due = [...waiting];
    waiting.clear();
    for (const run of due) run();
  };
  // Not before the next frame: it brings what was scrolled meanwhile, also where a frame takes longer than the wait.
  const lookLater = () => {
    window.setTimeout(() => requestAnimationFrame(look), REST);
  };
  const pace: ScrollIdleState = {
    isFast: () => flying,
    onScrollIdle: (run) => {
      if (flying) waiting.add(run);
      else run();
      return () => {
        waiting.delete(run);
      };
    },
  };
  const scrolled = (top: number, at: number, height: number) => {
    if (Math.abs(top - last.top) * SEEN > height * (at - last.at)) {
      fastAt = performance.now();
      if (!flying) lookLater();
      flying = true;
    }
    last = { top, at };
  };
  return { pace, scrolled };
}

/** Whether the list around this, if there is one, stands long enough for pictures. Once true it stays so. */
export function useScrollIdle(): boolean {
  const pace = use(ScrollIdle);
  const [standing, setStanding] = useState(() => pace?.isFast() !== true);
  useEffect(() => {
    return standing ? undefined : pace?.onScrollIdle(() => setStanding(true));
  }, [pace, standing]);
  return standing;
}
