import { problemOfIssue, type FieldProblems } from './problem.ts';

/** The faults that a schema found, by the dotted path of the field. */
export function fieldErrors(error: {
  issues: readonly { path: readonly PropertyKey[]; code: string; message: string }[];
}): FieldProblems {
  const errors: FieldProblems = {};
  for (const issue of error.issues)
    (errors[issue.path.map(String).join('.')] ??= []).push(problemOfIssue(issue));
  return errors;
}
