/** Client-side state of the signed-in operator; cleared when the session ends. */
const sessionEndListeners = new Set<() => void>();

/** @param listener called when the operator signs out or another one signs in */
export function onSessionEnd(letGo: () => void): void {
  sessionEndListeners.add(letGo);
}

export function endSession(): void {
  for (const letGo of sessionEndListeners) letGo();
}
