import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { VERSION } from '../../platform/version.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { publisherKey, verifyUpdate } from './updateFile.ts';
import { tryVersion } from './tryVersion.ts';
import { finishUpdate } from './unfinished.ts';
import { applyUpdate, findLayout } from './update.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `…/versions/NAME/app` in a package, the project's folder in a checkout. */
const APP = join(import.meta.dirname, '..', '..', '..');

/** `vouch update FILE`: another version from a stick. */
export function addUpdateCommand(program: Command, terminal: Terminal): void {
  program
    .command('update [file]')
    .description(
      'install another version from a signed file; the previous version returns if it fails. Without a file: finish an interrupted update',
    )
    .option('--publisher <file>', 'public key of the publisher, if the installation trusts none')
    .action(async (file: string | undefined, options: { publisher?: string }) => {
      const layout = await findLayout(join(APP, '..'));
      const homeFolder = terminal.home();
      const settled = await finishUpdate(homeFolder, tryVersion);
      if (file === undefined) {
        if (settled === undefined)
          throw new CliError('There is no interrupted update. Name the file of the update to install.');
        terminal.show({ from: settled.from, to: settled.to });
        return;
      }
      const update = await verifyUpdate(file, publishers(options.publisher), join(layout.root, 'versions'));
      try {
        terminal.show(await applyUpdate(update, { layout, homeFolder, running: VERSION, tryVersion }));
      } finally {
        await update.close();
      }
    });
}

function publishers(named: string | undefined) {
  const file = named ?? join(APP, 'resources', 'publishers.txt');
  if (!existsSync(file))
    throw new CliError(
      named === undefined
        ? 'This installation trusts no publisher yet. Ask the publisher of the update for the key, compare it with the publisher, and name its file with --publisher.'
        : `There is no file ${named}.`,
    );
  return readGiven(file).toString().trim().split('\n').map(publisherKey);
}
