import { useEffect, useState, type RefObject } from 'react';
import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { checkFrame } from '../api/camera.ts';
import { ApiError } from '../api/client.ts';
import { takeFrame } from './camera.ts';

/** At most so many milliseconds between the beginnings of two checks. */
const LEAST_PAUSE = 250;
/** After a refusal of the service, because other cameras or operators have their turn. */
const BUSY_PAUSE = 600;
const JPEG_QUALITY = 0.92;

/** The last frame that the service checked. */
export interface CheckedFrame {
  frame: Blob;
  /** Every reason against enrolling it; empty: it can be enrolled. */
  refusals: readonly FailureCode[];
  /** When it was checked, milliseconds of the page's clock. */
  at: number;
}

/**
 * Sends one frame after another to be checked, never two at once. The pause after each is as long as its check took, so a
 * camera uses at most half of the time of one worker.
 */
export function useFrameChecks(video: RefObject<HTMLVideoElement | null>, active: boolean) {
  const [checked, setChecked] = useState<CheckedFrame | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (!active) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (after: number) => {
      if (!signal.aborted) timer = setTimeout(() => void check(), after);
    };
    const check = async () => {
      const begun = performance.now();
      try {
        const frame = video.current === null ? null : await takeFrame(video.current, JPEG_QUALITY);
        if (frame !== null) {
          const { refusals } = await checkFrame(frame, signal);
          if (signal.aborted) return;
          setChecked({ frame, refusals, at: performance.now() });
          setError(null);
        }
        again(Math.max(LEAST_PAUSE, performance.now() - begun));
      } catch (failure) {
        if (signal.aborted) return;
        const busy = failure instanceof ApiError && failure.status === 429;
        if (!busy) {
          setChecked(null);
          setError(failure instanceof Error ? failure : new Error(String(failure)));
        }
        again(BUSY_PAUSE);
      }
    };
    again(0);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      setChecked(null);
    };
  }, [video, active]);
  return { checked, error };
}
