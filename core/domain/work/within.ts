import { problem } from '../../contracts/errors/problem.ts';
import { UnavailableError, type Timer } from '../ports/machine.ts';

/** @param milliseconds that the work may take @throws {UnavailableError} it takes longer; it goes on, and its end is ignored */
export async function within<T>(
  timer: Pick<Timer, 'after'>,
  milliseconds: number,
  work: Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = timer.after(milliseconds, () => {
    late.reject(new UnavailableError(problem('SYSTEM_NO_ANSWER')));
  });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
