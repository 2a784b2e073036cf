import type { ApiToken } from '../ports/credentials.ts';

/** Whether lists of tokens show a token: a command's own token is shown only while its run can use it. */
export function isListed({ forOneRun, revokedAt }: Pick<ApiToken, 'forOneRun' | 'revokedAt'>): boolean {
  return !forOneRun || revokedAt === null;
}
