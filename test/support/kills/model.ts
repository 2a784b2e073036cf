/** The states that an installation may be in after a kill, from what was begun and what was acknowledged. */

/** A line that a life prints. */
export type Said =
  | { begun: 'enrol' | 'erase' | 'import' | 'undo'; names: string[] }
  | { begun: 'restore'; file: string }
  | { begun: 'update'; version: string }
  | { done: 'enrol' | 'import' | 'undo' | 'restore' }
  | { done: 'erase'; receipt: string }
  | { done: 'backUp'; file: string }
  | { done: 'update'; refused?: string };
type Begun = Extract<Said, { begun: string }>;

/** The contents of a backup, which a restore brings back. */
interface Kept {
  /** Faces that are matched, by name. */
  standing: ReadonlySet<string>;
  /** The mark that the last program left in the database. */
  mark: string;
}

export interface Model extends Kept {
  /** The version that is current. */
  version: string;
  /** Erased with a receipt: no restore brings them back. */
  erased: ReadonlySet<string>;
  backup: (Kept & { file: string }) | undefined;
}

export const NEW_INSTALLATION: Model = {
  standing: new Set(),
  mark: '0.1.0',
  version: '0.1.0',
  erased: new Set(),
  backup: undefined,
};

function and(some: Iterable<string>, more: Iterable<string>): Set<string> {
  return new Set([...some, ...more]);
}

/** The elements of the first that are absent from the second. */
export function without(some: Iterable<string>, others: Iterable<string>): Set<string> {
  const left = new Set(some);
  for (const other of others) left.delete(other);
  return left;
}

/** @returns the state after an operation that was begun in this one */
function after(model: Model, begun: Begun): Model {
  switch (begun.begun) {
    case 'enrol':
    case 'import':
      return { ...model, standing: and(model.standing, begun.names) };
    case 'undo':
      return { ...model, standing: without(model.standing, begun.names) };
    case 'erase':
      return {
        ...model,
        standing: without(model.standing, begun.names),
        erased: and(model.erased, begun.names),
      };
    case 'restore': {
      if (model.backup?.file !== begun.file) throw new Error(`There is no backup ${begun.file}.`);
      const { standing, mark } = model.backup;
      return { ...model, mark, standing: without(standing, model.erased) };
    }
    case 'update':
      return { ...model, version: begun.version, mark: begun.version };
  }
}

/**
 * @param models the states that were possible before the life, @param said what it printed until it died
 * @param isHealthy whether a version stays when it was tried
 * @returns the states that are possible now, and the receipts that were acknowledged
 */
export function statesAfter(
  models: readonly Model[],
  said: readonly Said[],
  isHealthy: (version: string) => boolean,
): { models: Model[]; receipts: string[] } {
  let possible = [...models];
  let open: Begun | undefined;
  const receipts: string[] = [];
  for (const line of said) {
    if ('begun' in line) {
      open = line;
      continue;
    }
    if (line.done === 'backUp') {
      const { file } = line;
      possible = possible.map((model) => {
        const { standing, mark } = model;
        return { ...model, backup: { file, standing, mark } };
      });
      continue;
    }
    if (open?.begun !== line.done) throw new Error(`${line.done} was done and not begun.`);
    const begun = open;
    open = undefined;
    if (line.done === 'erase') receipts.push(line.receipt);
    if (begun.begun === 'update' && 'refused' in line === isHealthy(begun.version))
      throw new Error(`The update to ${begun.version} ended the other way: ${JSON.stringify(line)}.`);
    if (begun.begun !== 'update' || !('refused' in line))
      possible = possible.map((model) => after(model, begun));
  }
  if (open === undefined || (open.begun === 'update' && !isHealthy(open.version)))
    return { models: possible, receipts };
  const begun = open;
  return { models: [...possible, ...possible.map((model) => after(model, begun))], receipts };
}
