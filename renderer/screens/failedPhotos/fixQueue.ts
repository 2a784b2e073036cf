/** Sends corrected photos. The last one waits for a moment, so that the operator can undo it. */
import i18next from 'i18next';
import { create } from 'zustand';
import { ApiError } from '../../api/client.ts';
import { sendFix } from '../../api/enrolmentRuns.ts';
import { onSessionEnd } from '../../state/sessionReset.ts';
import { undoStore } from '../../state/undo.ts';

/** How long the operator can undo a correction before it is sent, milliseconds. */
const HOLD_MS = 5_000;

export interface Fix {
  /** The failed photo. */
  id: number;
  photo: Blob;
  face?: number;
  faces: number;
}

interface FixQueue {
  /** The correction that the operator can still undo. */
  held: Fix | null;
  /** Failed photos whose correction is held, sent or accepted in this window. */
  done: ReadonlySet<number>;
}

export const fixQueue = create<FixQueue>()(() => ({ held: null, done: new Set() }));

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends a correction after a moment, and the one before it now. */
export function queueFix(fix: Fix): void {
  flushFix();
  fixQueue.setState(({ done }) => ({ held: fix, done: new Set(done).add(fix.id) }));
  timer = setTimeout(flushFix, HOLD_MS);
}

/** Sends the correction that is held. The operator reads of one that was not accepted. */
export function flushFix(): void {
  clearTimeout(timer);
  const { held } = fixQueue.getState();
  if (held === null) return;
  fixQueue.setState({ held: null });
  void sendNow(held).catch((error: unknown) => {
    const why = error instanceof ApiError ? error.message : '';
    undoStore.getState().notify(`${i18next.t('failedPhotos.notSent')} ${why}`.trim());
  });
}

/** Takes the held correction back. @returns the failed photo it was for; undefined: none is held */
export function takeBackFix(): number | undefined {
  clearTimeout(timer);
  const { held } = fixQueue.getState();
  if (held === null) return undefined;
  fixQueue.setState({ held: null });
  reopen(held.id);
  return held.id;
}

/** Sends a correction at once. Throws if it was not accepted; the failed photo is open again then. */
export async function sendNow({ id, photo, face, faces }: Fix): Promise<void> {
  fixQueue.setState(({ done }) => ({ done: new Set(done).add(id) }));
  try {
    await sendFix(id, photo, { face, faces }, crypto.randomUUID());
  } catch (error) {
    reopen(id);
    throw error;
  }
}

function reopen(id: number): void {
  fixQueue.setState(({ done }) => {
    const rest = new Set(done);
    rest.delete(id);
    return { done: rest };
  });
}

// A correction that was not sent is not sent in the name of the next operator.
onSessionEnd(() => {
  clearTimeout(timer);
  fixQueue.setState({ held: null, done: new Set() });
});
