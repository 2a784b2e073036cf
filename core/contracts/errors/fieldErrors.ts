import type { z } from 'zod';
import { InvalidInput, problemOfIssue, type FieldProblems } from './problem.ts';

/** The faults that a schema found, by the dotted path of the field. */
export function fieldErrors(error: {
  issues: readonly { path: readonly PropertyKey[]; code: string; message: string }[];
}): FieldProblems {
  const errors: FieldProblems = {};
  for (const issue of error.issues)
    (errors[issue.path.map(String).join('.')] ??= []).push(problemOfIssue(issue));
  return errors;
}

/**
 * The values that a caller sent, by their schema.
 * @param field of which the input is the value; absent: the input is an object of fields
 * @throws {InvalidInput} with each fault at its field
 */
export function checked<T extends z.ZodType>(schema: T, input: unknown, field?: string): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InvalidInput(
    field === undefined ? fieldErrors(parsed.error) : { [field]: parsed.error.issues.map(problemOfIssue) },
  );
}
