import type { Command } from 'commander';
import { personSpecimens, signatureSpecimen, type SignatureSpecimenBody } from '../../contracts/specimens.ts';
import { ask, nothing, withLocalApi } from '../client/localClient.ts';
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
      const route = `GET /persons/${id}/specimens` as const;
      const { items: found } = await ask(terminal.home(), route, personSpecimens, { company });
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
      const added: SignatureSpecimenBody[] = [];
      try {
        await withLocalApi(terminal.home(), async (api) => {
          for (const [index, image] of read.entries()) {
            const asked = { company, body: { image: `data:image/png;base64,${image}` } };
            const one = await api.ask(`POST /persons/${id}/specimens`, signatureSpecimen, asked);
            added.push(one);
            if (!terminal.isJson()) console.log(`${images[index] ?? ''}: specimen ${one.id}`);
          }
        });
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
      await ask(terminal.home(), `DELETE /persons/${id}/specimens/${specimen}`, nothing, { company });
      if (terminal.isJson()) terminal.show({ erased: true });
      else console.log(`Specimen ${specimen} erased.`);
    });
}

function rowOf({ id, addedAt, addedBy, bytes, sha256 }: SignatureSpecimenBody) {
  return { specimen: id, addedAt, addedBy, bytes, sha256 };
}
