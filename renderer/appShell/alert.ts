/** Sound and notification for hits on blacklists. Neither needs a file or the network. */
import type { Severity } from '../../core/contracts/faceListing.ts';

/** Between two sounds at least, milliseconds. */
const SOUND_GAP = 1000;
/** Hertz of the tones, one after the other. */
const TONES: Record<Severity, readonly number[]> = {
  information: [660],
  caution: [660, 880],
  stop: [880, 660, 880],
};
/** Seconds of one tone. */
const TONE = 0.16;
const VOLUME = 0.25;

let context: AudioContext | undefined;
let lastSound = -Infinity;

/** Plays the tones of a severity; nothing within a second of the sound before. @param now milliseconds */
export async function playAlert(severity: Severity, now = performance.now()): Promise<void> {
  if (now - lastSound < SOUND_GAP) return;
  lastSound = now;
  context ??= new AudioContext();
  // A browser holds the sound until the operator has used the page once.
  await context.resume();
  const start = context.currentTime;
  for (const [index, frequency] of TONES[severity].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = start + index * TONE;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(VOLUME, from + 0.02);
    volume.gain.linearRampToValueAtTime(0, from + TONE);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + TONE);
  }
}

/** Whether notifications can be shown; `unsupported`: the browser has none. */
export function notificationState(): NotificationPermission | 'unsupported' {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Shows a notification that replaces the one before. @param open called when the operator clicks it */
export function showNotification(title: string, body: string, open: () => void): void {
  if (notificationState() !== 'granted') return;
  const shown = new Notification(title, { body, tag: 'vouch-hit' });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
