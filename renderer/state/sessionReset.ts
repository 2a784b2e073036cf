/** What this page holds of the one who sits in front of it, outside the core's answers; let go when somebody else does. */
const sessionEndListeners = new Set<() => void>();

/** @param letGo called when another operator signs in, or this one out */
export function onSessionEnd(letGo: () => void): void {
  sessionEndListeners.add(letGo);
}

export function endSession(): void {
  for (const letGo of sessionEndListeners) letGo();
}
