import { useEffect, useState, type RefObject } from 'react';
import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { checkFrame } from '../api/camera.ts';
import { ApiError } from '../api/client.ts';
import { takeFrame } from './camera.ts';
import { errorOf } from '../../core/contracts/errors/messageOf.ts';

/** Pause between two checks, milliseconds. */
const LEAST_PAUSE = 250;
/** Longer, and an automatic capture would rest on two frames of its second alone. */
const LONGEST_PAUSE = 400;
const PAUSES_PER_CHECK = 9;
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
 * Sends one frame after another to be checked, never two at once. Checks go before enrolment, so the pause after each is
 * nine times its duration: a camera uses a tenth of the time of one worker. Where a check takes over 45 ms, the pause is
 * shorter than that: guidance that comes late does not help the person in front of the camera.
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
        again(Math.min(Math.max(LEAST_PAUSE, PAUSES_PER_CHECK * (performance.now() - begun)), LONGEST_PAUSE));
      } catch (failure) {
        if (signal.aborted) return;
        const busy = failure instanceof ApiError && failure.status === 429;
        if (!busy) {
          setChecked(null);
          setError(errorOf(failure));
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
