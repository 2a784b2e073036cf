/** @param cause of a `catch`, or of a rejected promise @returns its message, or the value as text when it is no error */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** @param cause of a `catch`, or of a rejected promise @returns itself, or an error whose message is the value as text */
export function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
