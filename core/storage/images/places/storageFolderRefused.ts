import { CodedError } from '../../../contracts/errors/problem.ts';

/** A folder cannot be a company's storage folder; the message says why and what to do. */
export class StorageFolderRefused extends CodedError {
  override name = 'StorageFolderRefused';
}
