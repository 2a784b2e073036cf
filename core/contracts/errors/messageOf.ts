/** @param cause of a `catch`, or of a rejected promise @returns its message, or the value as text when it is no error */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
