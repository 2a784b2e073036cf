/**
 * The outcome of an operation that a caller's input can make impossible: `done` with its values, or the code of why it
 * changed nothing. An operation without values returns the codes alone; one whose refusal has details adds a member with
 * them. Faults of the machine are thrown.
 */
export type Result<Values extends object, Code extends string> =
  | ({ kind: 'done' } & Values)
  // One member for each code, so that a comparison narrows the rest.
  | { [C in Code]: { kind: C } }[Code];
