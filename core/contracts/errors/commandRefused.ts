import { CodedError, problem, sentenceOf, type FieldProblems } from './problem.ts';

/** The owner's command cannot be carried out as asked; the text says why and what to do. */
export class CommandRefused extends CodedError {
  override name = 'CommandRefused';
}

/** Every message of the fields that a command was refused for, in one refusal. */
export function refusedFields(errors: FieldProblems): CommandRefused {
  return new CommandRefused(
    problem('INPUT_INVALID', { sentences: Object.values(errors).flat().map(sentenceOf).join('\n') }),
  );
}
