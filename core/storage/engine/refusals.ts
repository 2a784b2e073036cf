import { CodedError } from '../../contracts/errors/problem.ts';

/** Another process has this home: there is never a second writer. */
export class HomeLocked extends Error {
  override name = 'HomeLocked';
}

/** A backup that cannot be restored; nothing was changed. The text names the remedy. */
export class BackupRefused extends CodedError {
  override name = 'BackupRefused';
}
