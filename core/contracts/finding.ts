/** The result of a check is good, and nothing has to be done. */
export const good = (finding: string) => ({ state: 'good', finding, whatToDo: '' }) as const;

const toDo =
  <S extends 'attention' | 'failed' | 'skipped'>(state: S) =>
  (finding: string, whatToDo: string) => ({ state, finding, whatToDo });

/** It works, and an administrator should check it. */
export const attention = toDo('attention');
export const failed = toDo('failed');
/** It could not be checked, and the finding says why. */
export const skipped = toDo('skipped');
