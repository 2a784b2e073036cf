import { useEffect, useRef, useState } from 'react';
import type { SignatureCalibrationReport } from '../../../core/contracts/signatureCalibration.ts';
import { ApiError } from '../../api/client.ts';
import {
  addSignature,
  beginSignatureMeasurement,
  readSignatureMeasurement,
} from '../../api/signatureCalibration.ts';
import type { SignatureFile } from './labelledSignatures.ts';
import { errorOf } from '../../../core/contracts/errors/messageOf.ts';

const POLL_MS = 500;

export type SignatureMeasurement =
  | { stage: 'none' }
  | { stage: 'sending'; sent: number; total: number }
  | { stage: 'comparing'; compared: number; total: number; secondsLeft: number | null }
  | { stage: 'measured'; run: string; report: SignatureCalibrationReport; notAccepted: string[] }
  | { stage: 'mislabelled'; pairs: string[] }
  | { stage: 'failed'; error: Error };

/** One measurement of labelled signatures: sends them, then follows the comparison. It ends with the screen. */
export function useSignatureMeasurement() {
  const [state, setState] = useState<SignatureMeasurement>({ stage: 'none' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setState({ stage: 'none' });
  };
  const start = async (files: readonly SignatureFile[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const update = (next: SignatureMeasurement) => {
      if (!controller.signal.aborted) setState(next);
    };
    try {
      await measure(files, controller.signal, update);
    } catch (error) {
      update({ stage: 'failed', error: errorOf(error) });
    }
  };
  return { state, start, stop };
}

async function measure(
  files: readonly SignatureFile[],
  signal: AbortSignal,
  update: (state: SignatureMeasurement) => void,
): Promise<void> {
  const { run } = await beginSignatureMeasurement();
  const notAccepted: string[] = [];
  const pairs: string[] = [];
  for (const [sent, file] of files.entries()) {
    update({ stage: 'sending', sent, total: files.length });
    const added = await send(run, file, signal);
    if (added === undefined) notAccepted.push(file.file);
    else if (
      added.sameAs !== null &&
      (added.sameAs.writer !== file.writer || added.sameAs.forgery !== file.forgery)
    )
      pairs.push(`${added.sameAs.file} = ${file.file}`);
  }
  if (pairs.length > 0) {
    update({ stage: 'mislabelled', pairs });
    return;
  }
  for (;;) {
    const { report, ...progress } = await readSignatureMeasurement(run, signal);
    if (report !== null) {
      update({ stage: 'measured', run, report, notAccepted });
      return;
    }
    update({ stage: 'comparing', ...progress });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

/** A file that the service does not accept, e.g. one above the size limit, does not end the measurement. */
async function send(run: string, file: SignatureFile, signal: AbortSignal) {
  try {
    return await addSignature(run, file, signal);
  } catch (error) {
    const ofTheFile =
      error instanceof ApiError && (error.status === 413 || Object.hasOwn(error.fields, 'image'));
    if (!ofTheFile) throw error;
    return undefined;
  }
}
