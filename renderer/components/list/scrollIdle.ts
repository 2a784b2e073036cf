import { createContext, use, useEffect, useLayoutEffect, useMemo, useState } from 'react';

/** Scrolled through its own height in less than this, a list shows no picture long enough to be seen, milliseconds. */
const FAST_MS = 300;
/** The list must be slower for so long before pictures are requested, milliseconds. */
const IDLE_MS = 100;

/** Whether a list is scrolled too fast for pictures, and the callbacks that wait until it is not. */
export interface ScrollIdleState {
  isFast: () => boolean;
  /** Calls back once the list is idle or slow. @returns cancels the callback */
  onScrollIdle: (run: () => void) => () => void;
}

/** Provided by a list to the contents of its rows; null outside a list. */
export const ScrollIdle = createContext<ScrollIdleState | null>(null);

/**
 * Measures how fast a list is scrolled. Dragging the scroll bar moves 60 rows a second: requesting the picture of each
 * took half of the time of a frame, and as much of the service, for pictures that were gone before they were drawn.
 */
export function useScrollIdleState(scroller: { readonly current: HTMLElement | null }): ScrollIdleState {
  const { idleState, scrolled } = useMemo(createScrollIdleState, []);
  // Registered before the list's own listener, so that its new rows see the present state.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const watch = ({ timeStamp }: Event) => scrolled(element.scrollTop, timeStamp, element.clientHeight);
    element.addEventListener('scroll', watch, { passive: true });
    return () => element.removeEventListener('scroll', watch);
  }, [scroller, scrolled]);
  return idleState;
}

function createScrollIdleState() {
  const waiting = new Set<() => void>();
  let last = { top: 0, at: 0 };
  let fast = false;
  let fastAt = 0;
  const check = () => {
    if (performance.now() - fastAt < IDLE_MS) {
      checkLater();
      return;
    }
    fast = false;
    const due = [...waiting];
    waiting.clear();
    for (const run of due) run();
  };
  // Not before the next frame, which delivers the scroll events of the wait, however long a frame takes.
  const checkLater = () => {
    window.setTimeout(() => requestAnimationFrame(check), IDLE_MS);
  };
  const idleState: ScrollIdleState = {
    isFast: () => fast,
    onScrollIdle: (run) => {
      if (fast) waiting.add(run);
      else run();
      return () => {
        waiting.delete(run);
      };
    },
  };
  const scrolled = (top: number, at: number, height: number) => {
    if (Math.abs(top - last.top) * FAST_MS > height * (at - last.at)) {
      fastAt = performance.now();
      if (!fast) checkLater();
      fast = true;
    }
    last = { top, at };
  };
  return { idleState, scrolled };
}

/** Whether pictures in the surrounding list may be loaded. True outside a list. Once true it stays true. */
export function useScrollIdle(): boolean {
  const idleState = use(ScrollIdle);
  const [idle, setIdle] = useState(() => idleState?.isFast() !== true);
  useEffect(() => {
    return idle ? undefined : idleState?.onScrollIdle(() => setIdle(true));
  }, [idleState, idle]);
  return idle;
}
