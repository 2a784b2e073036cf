/** A folder cannot be a company's storage folder; the message says why and what to do. */
export class StorageFolderRefused extends Error {
  override name = 'StorageFolderRefused';
}
