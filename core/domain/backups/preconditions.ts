import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { StoreHealth } from '../ports/diagnostics.ts';
import { fullPlace } from './problems.ts';
import type { InstallationKeys } from '../../storage/home/installationKeys.ts';
import type { BackupPlaces } from '../../storage/backup/places.ts';
import type { Companies } from '../../storage/settings/companies.ts';

/** Part of the expected size that is added to it before the free space is compared. */
const MARGIN = 0.1;

export interface PlacePorts {
  backupPlaces: BackupPlaces;
  companies: Pick<Companies, 'list'>;
  storeHealth: Pick<StoreHealth, 'imageTotals' | 'databaseBytes'>;
}

/**
 * A backup holds the data of all companies, so an operator of one of them must not hold its key.
 * @throws {CodedError} the installation has several companies
 */
export async function refuseSeveralCompanies(companies: PlacePorts['companies']): Promise<void> {
  if ((await companies.list()).length !== 1) throw new CodedError(problem('BACKUP_SEVERAL_COMPANIES'));
}

/** @throws {CodedError} the installation has no backup key */
export async function refuseMissingKey(keys: Pick<InstallationKeys, 'recovery'>): Promise<void> {
  if ((await keys.recovery()) === undefined) throw new CodedError(problem('BACKUP_NO_KEY'));
}

/** @throws {CodedError} the place is not offered, not writable, or too small for a backup */
export async function refusePlace(ports: PlacePorts, place: string): Promise<void> {
  const found = (await ports.backupPlaces.list()).find(({ path }) => path === place);
  if (found?.freeBytes == null) throw new CodedError(problem('BACKUP_PLACE_GONE', { place }));
  if (!found.writable) throw new CodedError(problem('BACKUP_PLACE_UNWRITABLE', { place }));
  const needed = (await expectedBytes(ports)) * (1 + MARGIN);
  if (found.freeBytes < needed) throw new CodedError(fullPlace(place, found.freeBytes, needed));
}

/** Bytes of the database and of all images. */
export async function expectedBytes({
  companies,
  storeHealth,
}: Pick<PlacePorts, 'companies' | 'storeHealth'>): Promise<number> {
  let sum = await storeHealth.databaseBytes();
  for (const { id } of await companies.list()) sum += (await storeHealth.imageTotals(id)).bytes;
  return sum;
}
