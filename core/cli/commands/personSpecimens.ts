import type { Command } from 'commander';
import type { AdminOutput } from '../../contracts/admin/commands.ts';
import { sendAdminCommand } from '../client/adminClient.ts';
import { COMPANY, wholeNumber } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface OfCompany {
  company: string;
}

/** `vouch person specimens …`: the known signatures that are stored with a person. */
export function addSpecimenCommands(person: Command, terminal: Terminal): void {
  const specimens = person
    .command('specimens')
    .description('manage the known signatures that are stored with a person');
  specimens
    .command('list')
    .description('list the signature specimens of a person')
    .argument('<id>', 'number of the person', wholeNumber)
    .requiredOption(...COMPANY)
    .action(async (id: number, { company }: OfCompany) => {
      const found = await sendAdminCommand(terminal.home(), 'person.specimens', { company, id });
      terminal.show(
        terminal.isJson() ? found : found.map(rowOf),
        'This person has no signature specimens. Add one with: vouch person specimens add',
      );
    });
  specimens
    .command('add')
    .description('store images as signature specimens of a person')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<images...>', 'JPEG or PNG, one signature each')
    .requiredOption(...COMPANY)
    .action(async (id: number, images: string[], { company }: OfCompany) => {
      const read = images.map((image) => readGiven(image).toString('base64'));
      const added: AdminOutput<'person.specimen-add'>[] = [];
      try {
        for (const [index, image] of read.entries()) {
          const one = await sendAdminCommand(terminal.home(), 'person.specimen-add', { company, id, image });
          added.push(one);
          if (!terminal.isJson()) console.log(`${images[index] ?? ''}: specimen ${one.id}`);
        }
      } finally {
        // Also where a later image was refused: the specimens before it are stored.
        if (terminal.isJson()) terminal.show(added);
      }
    });
  specimens
    .command('remove')
    .description('erase a signature specimen of a person; this cannot be undone')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<specimen>', 'number of the specimen', wholeNumber)
    .requiredOption(...COMPANY)
    .action(async (id: number, specimen: number, { company }: OfCompany) => {
      const answer = await sendAdminCommand(terminal.home(), 'person.specimen-remove', {
        company,
        id,
        specimen,
      });
      if (terminal.isJson()) terminal.show(answer);
      else console.log(`Specimen ${specimen} erased.`);
    });
}

function rowOf({ id, addedAt, addedBy, bytes, sha256 }: AdminOutput<'person.specimens'>[number]) {
  return { specimen: id, addedAt, addedBy, bytes, sha256 };
}
