import type { AdminOutput } from '../../contracts/admin/commands.ts';

/** One sentence for each company whose pipeline cannot be run. */
export function missingWarnings({ companies }: Pick<AdminOutput<'status'>, 'companies'>): string[] {
  return companies
    .filter(({ installed }) => !installed)
    .map(
      ({ company, pipeline }) =>
        `No face of "${company}" can be compared: its pipeline ${pipeline} is not installed. vouch doctor says what to do.`,
    );
}
