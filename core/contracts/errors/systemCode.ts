/** @param cause of a `catch`, or of a rejected promise @returns its code, such as `ENOENT`; undefined: it is no error with a code */
export function systemCodeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/** Whether the operating system reported one of these codes. */
export function hasSystemCode(cause: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(systemCodeOf(cause) ?? '');
}
