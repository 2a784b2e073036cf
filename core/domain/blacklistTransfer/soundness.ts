import { CodedError, problem } from '../../contracts/errors/problem.ts';

/**
 * Refuses a package with a part of a face that cannot be used.
 * @param index of the face in the package, from 0
 * @param fault the end of a sentence; undefined: the part can be used
 * @throws {CodedError}
 */
export function requireSound(part: string, index: number, fault: string | undefined): void {
  if (fault !== undefined)
    throw new CodedError(problem('PACKAGE_FACE_INVALID', { part, face: index + 1, fault }));
}
