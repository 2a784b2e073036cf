import { CodedError, type ErrorCode } from '../../core/contracts/errors/problem.ts';

/** @returns `done`, or the code that the work was refused with */
export async function outcomeOf(work: Promise<unknown>): Promise<ErrorCode | 'done'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return error.problem.code;
  }
}
