/** Schema issues in the envelope's form: dotted key to messages. */
export function fieldErrors(error: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of error.issues) (errors[path.map(String).join('.')] ??= []).push(message);
  return errors;
}
