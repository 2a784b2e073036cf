import { searchApi } from '../../contracts/dashboard/search.ts';
import { expectationSentences } from '../../contracts/expectation.ts';
import { localApi } from '../../contracts/local.ts';
import { firstOfEach } from '../../contracts/dashboard/searchView.ts';
import type { Command } from 'commander';
import { CERTAINTY } from '../../contracts/certainty.ts';
import { COMPANY, countFrom1 } from '../terminal/arguments.ts';
import { readPicture } from '../client/picture.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { withLocalApi } from '../client/localClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Options {
  company: string;
  limit: number;
  oneIn?: number;
}

/** `vouch search PHOTO`: the enrolled persons most similar to those in a photo. */
export function addSearchCommand(program: Command, terminal: Terminal): void {
  program
    .command('search <image>')
    .description('find the enrolled persons most similar to those in a photo; enrols nothing')
    .requiredOption(...COMPANY)
    .option('--limit <count>', 'persons per face', countFrom1, 10)
    .option(
      '--one-in <searches>',
      'searches of unknown people of which one may raise a false alarm; the threshold then follows the number of persons',
      countFrom1,
    )
    .action(async (image: string, { company, limit, oneIn }: Options) => {
      const body = await readPicture(terminal.home(), company, image);
      const asked = { company, query: { limit, ...(oneIn !== undefined && { oneIn }) }, body };
      const { result, use } = await withLocalApi(terminal.home(), async (api) => ({
        result: await api.ask(localApi.search, asked),
        use: oneIn === undefined ? undefined : await api.ask(searchApi.expectation, { company }),
      }));
      if (terminal.isJson()) {
        terminal.show(result);
        if (result.refused !== null) process.exitCode = EXIT.someImagesFailed;
        return;
      }
      if (result.refused !== null) throw new CliError(result.refused, EXIT.someImagesFailed);
      const { searchedFaces, watchlists, threshold } = result;
      console.log(`Faces compared: ${searchedFaces}. Lists: ${watchlists.length}.`);
      if (threshold !== null) {
        const { similarityScore, falsePositiveIdentificationRate: rate, falseMatchRate } = threshold;
        console.log(
          `Matches from similarity ${similarityScore.toFixed(2)}: false alarms in about ${Number((100 * rate).toPrecision(2))} % of the searches of people who are on none of the lists.`,
        );
        if (use !== undefined) {
          const persons = watchlists.reduce((sum, list) => sum + list.persons, 0);
          const chosen = { alarms: persons * falseMatchRate, rate: falseMatchRate };
          const uses = { uses: use.searches, kind: 'searches' as const };
          const { expected } = CERTAINTY.en;
          for (const sentence of expectationSentences(expected, use, { ...uses, ...chosen }, String))
            console.log(sentence);
        }
      }
      for (const [index, face] of result.faces.entries()) {
        console.log(`Face ${index + 1}, quality ${face.quality.toFixed(0)} of 100`);
        printTable(
          firstOfEach(face.candidates, ({ faceId, person, blacklistName }) => ({
            faceId,
            personId: person.id,
            list: blacklistName,
          })).map((candidate) => ({
            name: candidate.name,
            list: candidate.blacklistName,
            similarity: candidate.similarityScore.toFixed(2),
            band: CERTAINTY.en.bands[candidate.band],
            photos: `${candidate.person.agreeing} of ${candidate.person.photos}`,
            validation: candidate.trustValidationId,
            enrolled: candidate.enrolledAt,
          })),
        );
      }
    });
}
