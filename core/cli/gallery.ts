import type { Command } from 'commander';
import { wholeNumber } from './arguments.ts';
import { asOwner } from './owner.ts';

/** `vouch gallery …`: what the faces that are searched among take. */
export function addGalleryCommands(
  program: Command,
  terminal: { home(): string; show(value: object): void },
): void {
  program
    .command('gallery')
    .description('the faces in memory')
    .command('memory')
    .description('show or set how much of the exact vectors stays in memory; taken at the next start')
    .argument('[mebibytes]', 'or "all"', (text) => (text === 'all' ? null : wholeNumber(text)))
    .action(async (galleryMemoryMiB?: number | null) => {
      const input = galleryMemoryMiB === undefined ? {} : { galleryMemoryMiB };
      const set = await asOwner(terminal.home(), (administrate) => administrate('gallery.memory', input));
      const { galleryMemoryMiB: kept } = set;
      terminal.show({ exactVectorsInMemory: kept === null ? 'all' : `${kept} MiB` });
    });
}
