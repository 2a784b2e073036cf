import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** The keys that decide: they wait until the faces are drawn. */
const DECIDING = new Set(['v', 'r', 's', 'd', 'u']);

/** A case on screen, or the place of one. */
interface Shown {
  /** null: no case is left. */
  id: number | null;
  /** Whether its faces are drawn. */
  drawn: boolean;
  /** Runs one key; null: the case is loading, or a decision about it is being stored. */
  act: ((key: string) => void) | null;
}

interface State {
  keys: string[];
  shown: Shown;
  /** The case that is being left: it gets no more keys. */
  left?: number | null | undefined;
  /** How many undos are running. */
  held: number;
}

/** The keys of a review, kept until the case that they are for is on screen. */
export interface TypedAhead {
  /** Keys that wait for their case. */
  waiting: number;
  type: (key: string) => void;
  /** Removes the keys that wait. */
  discard: () => void;
  /** Announces what is on screen. */
  show: (shown: Shown) => void;
  /** Holds all keys while the present case stays on screen. @param target the case that is opened; null: none is left */
  leave: (target: number | null) => void;
  /** Holds all keys until this has settled. */
  hold: (work: Promise<unknown>) => void;
}

/**
 * Keeps the order of keys that are typed faster than the cases change. Each key acts on one case. A key that decides
 * waits until the faces of that case are drawn, so no decision is stored about a case that was not on screen.
 */
export function useTypedAhead(): TypedAhead {
  const [waiting, setWaiting] = useState(0);
  const state = useRef<State>({ keys: [], shown: { id: null, drawn: false, act: null }, held: 0 });
  const actions = useMemo(() => {
    const run = () => {
      const now = state.current;
      for (;;) {
        // An act may change all of this: it is read again before every key.
        const { act, drawn, id } = now.shown;
        const [key] = now.keys;
        if (key === undefined || act === null || now.held > 0 || id === now.left) break;
        if (DECIDING.has(key) && !drawn) break;
        now.keys.shift();
        act(key);
      }
      setWaiting(now.keys.length);
    };
    return {
      type: (key: string) => {
        state.current.keys.push(key);
        run();
      },
      discard: () => {
        state.current.keys.length = 0;
        setWaiting(0);
      },
      show: (shown: Shown) => {
        const now = state.current;
        now.shown = shown;
        if (shown.id !== now.left) now.left = undefined;
        run();
      },
      leave: (target: number | null) => {
        const now = state.current;
        now.left = target === now.shown.id ? undefined : now.shown.id;
      },
      hold: (work: Promise<unknown>) => {
        state.current.held++;
        const release = () => {
          state.current.held--;
          run();
        };
        work.then(release, release);
      },
    };
  }, []);
  // The keys are for the review in which they were typed.
  useEffect(() => actions.discard, [actions]);
  return { waiting, ...actions };
}

/**
 * The keys of a case whose faces are not drawn: a case that cannot be loaded can be passed over, and one that is being loaded
 * keeps what is typed.
 * @returns the binding of a key of the case, with further keys that do the same
 */
export function useCaseKeys(
  keys: TypedAhead,
  shown: { id: number; loaded: boolean; failed: boolean; go: (to: 'next' | 'previous') => void },
) {
  const { id, loaded, failed, go } = shown;
  useLayoutEffect(() => {
    if (loaded) return;
    const act = (key: string) => {
      if (key === 'j') go('next');
      else if (key === 'k') go('previous');
      else keys.discard();
    };
    keys.show({ id, drawn: failed, act: failed ? act : null });
  });
  return (name: string, label: string, others: readonly string[] = []) => ({
    keys: [name, ...others],
    label,
    run: () => keys.type(name),
  });
}
