import { CodedError } from '../../contracts/errors/problem.ts';
import { CliError } from './output.ts';

/** @throws {CliError} it is no address of a PostgreSQL database */
export async function requireAddress(address: string): Promise<void> {
  const { parseAddress } = await import('../../storage/engine/postgres/address.ts');
  try {
    parseAddress(address);
  } catch (cause) {
    throw cause instanceof CodedError ? new CliError(cause.problem) : cause;
  }
}
