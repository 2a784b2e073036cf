import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { errorOf } from '../../../core/contracts/errors/problem.ts';

/**
 * One measurement of labelled files, of faces or of signatures. It ends with the screen, and a new one ends the one before.
 * @param measure sends the files and follows the run; each state that it reports is shown while it is the present one
 */
export function useMeasuring<F, S extends { stage: string }>(
  measure: (files: readonly F[], signal: AbortSignal, update: (state: S) => void) => Promise<void>,
) {
  const [state, setState] = useState<S | { stage: 'none' } | { stage: 'failed'; error: Error }>({
    stage: 'none',
  });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setState({ stage: 'none' });
  };
  const start = async (files: readonly F[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const update = (next: typeof state) => {
      if (!signal.aborted) setState(next);
    };
    try {
      await measure(files, signal, update);
    } catch (error) {
      update({ stage: 'failed', error: errorOf(error) });
      // Requests that are still on their way belong to no measurement.
      controller.abort();
    }
  };
  return { state, start, stop };
}

/** @returns undefined: the service does not accept this file, e.g. one above the size limit, which ends no measurement */
export async function unlessRefused<T>(sending: Promise<T>): Promise<T | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 413 || Object.hasOwn(error.fields, 'image')))
      return undefined;
    throw error;
  }
}
