import type { InstallationStatus } from '../../contracts/local.ts';

/** A warning for each company whose pipeline is not installed. */
export function missingWarnings({ companies }: Pick<InstallationStatus, 'companies'>): string[] {
  return companies
    .filter(({ installed }) => !installed)
    .map(
      ({ company, pipeline }) =>
        `No face of "${company}" can be compared: its pipeline ${pipeline} is not installed. Run vouch doctor for the remedy.`,
    );
}
