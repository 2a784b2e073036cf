import type { Command } from 'commander';
import { csvLine, CSV_START } from '../../contracts/csv.ts';
import { PORTRAIT_COMPONENTS, portraitApi, type PortraitChecks } from '../../contracts/portrait.ts';
import { ask, mustBeHome } from '../client/localClient.ts';
import { readPicture } from '../client/picture.ts';
import { companyCommand } from '../terminal/arguments.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch portrait`: the quality components of ISO/IEC 29794-5 of photos, which are stored nowhere. */
export function addPortraitCommand(program: Command, terminal: Terminal): void {
  companyCommand(program, 'portrait <photos...>', 'measure photos by ISO/IEC 29794-5; no photo is stored')
    .option(
      '--csv',
      'print one line per photo: each component with its native value and its value from 0 to 100',
    )
    .action(async (photos: string[], { company, csv }: { company: string; csv?: true }) => {
      if (csv === true) process.stdout.write(CSV_START + csvLine(['photo', 'refused', ...COLUMNS]));
      let failed = 0;
      for (const photo of photos) {
        const measured = await measurementOf(terminal.home(), company, photo);
        if (measured.refused !== null) failed += 1;
        const { refused, checks } = measured;
        if (csv === true) {
          const numbers = checks.flatMap(({ native, value }) => [String(native), String(value)]);
          process.stdout.write(csvLine([photo, refused ?? '', ...numbers]));
        } else
          terminal.print({ photo, refused, checks }, () => {
            console.log(refused === null ? photo : `${photo}: ${refused}`);
            printTable(checks.map(({ native, ...check }) => ({ ...check, native: native.toPrecision(4) })));
          });
      }
      if (failed > 0)
        throw new CliError(
          `Photos that could not be measured: ${failed} of ${photos.length}. Each is listed with the reason.`,
          EXIT.someImagesFailed,
        );
    });
}

/** Of one file. One that is no photo has the reason, and the others are measured. @throws {CliError} none can be measured */
async function measurementOf(
  home: string,
  company: string,
  photo: string,
): Promise<{ refused: string | null; checks: PortraitChecks['checks'] }> {
  mustBeHome(home);
  try {
    return await ask(home, portraitApi.ofFile, { company, body: await readPicture(home, company, photo) });
  } catch (error) {
    const isOfFile =
      error instanceof CliError &&
      error.exitCode === EXIT.usage &&
      !error.problem.code.startsWith('COMPANY_');
    if (!isOfFile) throw error;
    return { refused: error.message, checks: [] };
  }
}

const COLUMNS = PORTRAIT_COMPONENTS.flatMap((component) => [component, `${component}.value`]);
