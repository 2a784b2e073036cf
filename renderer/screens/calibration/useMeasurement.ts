import { useEffect, useRef, useState } from 'react';
import type { AddedPhoto, CalibrationReport } from '../../../core/contracts/calibration.ts';
import { beginMeasurement, measurePhoto, readMeasurement } from '../../api/calibration.ts';
import { ApiError } from '../../api/client.ts';
import type { LabelledPhoto } from './labelledPhotos.ts';
import { errorOf } from '../../../core/contracts/errors/messageOf.ts';

/** As many photos are sent at once: enough for the workers of a small machine. */
const CONCURRENCY = 4;

export interface Progress {
  total: number;
  done: number;
  /** Photos without a usable face, and files that the service did not accept. */
  refused: number;
  /** Files that the service did not accept, such as files above the size limit. */
  notAccepted: number;
  /** Photos that occur twice for the same person, and count once. */
  repeated: number;
  /** Pairs of files with the same content under two people. */
  mislabelled: string[];
}

export type Measurement =
  | { stage: 'none' }
  | { stage: 'measuring'; progress: Progress }
  | { stage: 'measured'; progress: Progress; report: CalibrationReport }
  | { stage: 'failed'; error: Error };

/** One measurement of labelled photos: sends them to the service, then reads the report. It ends with the screen. */
export function useMeasurement() {
  const [state, setState] = useState<Measurement>({ stage: 'none' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setState({ stage: 'none' });
  };
  const start = async (photos: readonly LabelledPhoto[]) => {
    running.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const progress: Progress = {
      total: photos.length,
      done: 0,
      refused: 0,
      notAccepted: 0,
      repeated: 0,
      mislabelled: [],
    };
    setState({ stage: 'measuring', progress: { ...progress } });
    try {
      const { run } = await beginMeasurement();
      await sendAll(run, photos, signal, (photo, added) => {
        count(progress, photo, added);
        if (!signal.aborted) setState({ stage: 'measuring', progress: { ...progress } });
      });
      const report = await readMeasurement(run, signal);
      if (!signal.aborted) setState({ stage: 'measured', progress, report });
    } catch (error) {
      controller.abort();
      if (running.current === controller && !isAbort(error))
        setState({ stage: 'failed', error: errorOf(error) });
    }
  };
  return { state, start, stop };
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

async function sendAll(
  run: string,
  photos: readonly LabelledPhoto[],
  signal: AbortSignal,
  sent: (photo: LabelledPhoto, added: AddedPhoto | 'not-accepted') => void,
): Promise<void> {
  const waiting = photos.values();
  const sendNext = async () => {
    for (const photo of waiting) sent(photo, await send(run, photo, signal));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
}

/** A file that the service does not accept, e.g. one above the size limit, does not end the measurement. */
async function send(
  run: string,
  photo: LabelledPhoto,
  signal: AbortSignal,
): Promise<AddedPhoto | 'not-accepted'> {
  try {
    return await measurePhoto(run, photo, signal);
  } catch (error) {
    const ofTheFile =
      error instanceof ApiError && (error.status === 413 || Object.hasOwn(error.fields, 'image'));
    if (!ofTheFile) throw error;
    return 'not-accepted';
  }
}

function count(
  progress: Progress,
  { person, file }: LabelledPhoto,
  added: AddedPhoto | 'not-accepted',
): void {
  progress.done += 1;
  if (added === 'not-accepted') progress.notAccepted += 1;
  if (added === 'not-accepted' || added.refused !== null) progress.refused += 1;
  else if (added.sameAs?.person === person) progress.repeated += 1;
  else if (added.sameAs !== null) progress.mislabelled.push(`${added.sameAs.file} = ${file}`);
}
