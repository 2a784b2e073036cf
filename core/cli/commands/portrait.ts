import type { Command } from 'commander';
import { csvLine, CSV_START } from '../../contracts/csv.ts';
import { PORTRAIT_COMPONENTS, portraitApi } from '../../contracts/portrait.ts';
import { ask } from '../client/localClient.ts';
import { readPicture } from '../client/picture.ts';
import { COMPANY } from '../terminal/arguments.ts';
import { printTable } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch portrait`: the quality components of ISO/IEC 29794-5 of photos, which are stored nowhere. */
export function addPortraitCommand(program: Command, terminal: Terminal): void {
  program
    .command('portrait <photos...>')
    .description('measure photos by ISO/IEC 29794-5; no photo is stored')
    .requiredOption(...COMPANY)
    .option(
      '--csv',
      'print one line per photo: each component with its native value and its value from 0 to 100',
    )
    .action(async (photos: string[], { company, csv }: { company: string; csv?: true }) => {
      if (csv === true) process.stdout.write(CSV_START + csvLine(['photo', 'refused', ...COLUMNS]));
      for (const photo of photos) {
        const { refused, checks } = await ask(terminal.home(), portraitApi.ofFile, {
          company,
          body: await readPicture(terminal.home(), company, photo),
        });
        if (csv === true) {
          const numbers = checks.flatMap(({ native, value }) => [String(native), String(value)]);
          process.stdout.write(csvLine([photo, refused ?? '', ...numbers]));
        } else if (terminal.isJson()) terminal.show({ photo, refused, checks });
        else {
          console.log(refused === null ? photo : `${photo}: ${refused}`);
          printTable(checks.map(({ native, ...check }) => ({ ...check, native: native.toPrecision(4) })));
        }
      }
    });
}

const COLUMNS = PORTRAIT_COMPONENTS.flatMap((component) => [component, `${component}.value`]);
