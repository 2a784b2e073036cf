import { specimenApi } from '../../contracts/persons.ts';
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { BAND_OF_VERDICT, CERTAINTY, pairSentences } from '../../contracts/certainty.ts';
import type { FaceCompareResponse } from '../../contracts/faceComparisons.ts';
import { subcommand, wholeNumber } from '../terminal/arguments.ts';
import { ask } from '../client/localClient.ts';
import { credentialOptions, withCredential, withTarget, type Target } from '../client/credential.ts';
import { readPicture } from '../client/picture.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, printTable } from '../terminal/output.ts';
import { knownSignatureLines, knownSignatureRows, pairRateLines } from './knownSignatures.ts';
import { ScreeningClient } from './screeningClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch verify`, `vouch face compare` and `vouch signature compare`: one verification or comparison through the public API. */
export function addCompareCommands(program: Command, terminal: Terminal): void {
  withTarget(
    subcommand(
      program,
      'verify <selfie>',
      'verify one selfie with a Trust Flow and show the matches',
    ).requiredOption('--flow <id>', 'number of the Trust Flow', wholeNumber),
  ).action(async (selfie: string, options: Target & { flow: number }) => {
    const image = await photoOf(terminal, options, selfie);
    await withClient(terminal, options, 'vouch verify', ['verify'], async (client) => {
      const detail = await client.verify(options.flow, image);
      if (terminal.isJson()) {
        terminal.show(detail);
        return;
      }
      console.log(`Trust Validation ${detail.id}: ${detail.statusLabel}`);
      printTable([
        ...detail.blacklistMatches.map((match) => ({
          found: `blacklist ${match.blacklistName}`,
          name: match.fullName,
          similarity: match.similarityScore.toFixed(2),
          band: CERTAINTY.en.bands[match.band],
        })),
        ...detail.duplicates.map((match) => ({
          found: 'duplicate',
          name: `Trust Validation ${match.trustValidationId}`,
          similarity: match.similarityScore.toFixed(2),
          band: CERTAINTY.en.bands[match.band],
        })),
      ]);
    });
  });
  withTarget(
    subcommand(program, 'face', 'compare faces')
      .command('compare <image1> <image2>')
      .description('compare the faces of two photos; neither photo is stored')
      .option('--reference <text>', 'your reference, stored with the comparison (default: a new one)'),
  ).action(async (image1: string, image2: string, options: Target & { reference?: string }) => {
    const images = [
      await photoOf(terminal, options, image1),
      await photoOf(terminal, options, image2),
    ] as const;
    await withClient(terminal, options, 'vouch face compare', ['verify'], async (client) => {
      const answer = await client.compareFaces(...images, options.reference ?? randomUUID());
      terminal.print(answer, faceLines(answer).join('\n'));
    });
  });
  withTarget(
    subcommand(program, 'signature', 'compare signatures')
      .command('compare <questioned> [known...]', { isDefault: true })
      .description('compare a signature with another one, or with two to ten known ones of one writer')
      .option('--person <id>', 'compare with the stored specimens of this person too', wholeNumber)
      .option('--across-media', 'the signatures were not all written on one medium')
      .option('--reference <text>', 'your reference, stored with the comparison (default: a new one)'),
  ).action(async (questioned: string, known: string[], options: SignatureOptions) => {
    const image = readGiven(questioned);
    const stored = await specimensOf(terminal, options);
    const others = [...known.map(readGiven), ...stored.map(({ content }) => content)];
    const names = [...known, ...stored.map(({ name }) => name)];
    if (others.length === 0)
      throw new CliError('Name at least one known signature, or a person who has specimens with --person.');
    const reference = options.reference ?? randomUUID();
    await withClient(terminal, options, 'vouch signature compare', ['signatures'], async (client) => {
      if (others.length > 1) {
        const acrossMedia = options.acrossMedia === true;
        const answer = await client.compareKnownSignatures(image, others, { reference, acrossMedia });
        terminal.print(answer, () => {
          console.log(knownSignatureLines(answer, names).join('\n'));
          printTable(knownSignatureRows(answer, names));
        });
        return;
      }
      const answer = await client.compareSignatures(image, others[0]!, reference);
      terminal.print(
        answer,
        [
          `${answer.result.verdict_display}, similarity ${answer.result.similarity.toFixed(2)}. ${answer.message}`,
          ...pairRateLines(),
          'Disguise, age and illness of a writer are in no rate.',
        ].join('\n'),
      );
    });
  });
}

/** A photo as the public interface takes it. The service of this machine converts other formats and face records. */
function photoOf(terminal: Terminal, { company }: Target, file: string): Uint8Array | Promise<Uint8Array> {
  return company === undefined ? readGiven(file) : readPicture(terminal.home(), company, file);
}

/** The stored specimens of the person that the options name. */
async function specimensOf(
  terminal: Terminal,
  { person, company }: SignatureOptions,
): Promise<{ name: string; content: Buffer }[]> {
  if (person === undefined) return [];
  if (company === undefined) throw new CliError('Name the company of the person with --company.');
  const { items } = await ask(terminal.home(), specimenApi.use, { company, params: { id: person } });
  return items.map(({ id, image }) => ({
    name: `specimen ${id}`,
    content: Buffer.from(image.slice(image.indexOf(',') + 1), 'base64'),
  }));
}

interface SignatureOptions extends Target {
  person?: number;
  reference?: string;
  acrossMedia?: boolean;
}

/** The support for one person or for two with what it rests on, then the answer that a program reads. */
function faceLines({ message, result }: FaceCompareResponse): string[] {
  const { false_match_rate: falseMatchRate, likelihood_ratio: likelihood, similarity, verdict } = result;
  if (falseMatchRate === null || verdict === 'INCONCLUSIVE') return [message];
  const words = CERTAINTY.en;
  const { support, sentences } = pairSentences(words, { falseMatchRate, likelihood }, (value) =>
    value.toLocaleString('en'),
  );
  return [
    `${words.similarity(similarity.toFixed(2), words.bands[BAND_OF_VERDICT[verdict]])}.`,
    ...(support === null ? [] : [`In words: ${support}.`]),
    ...sentences,
  ];
}

async function withClient(
  terminal: Terminal,
  target: Target,
  name: string,
  scopes: Parameters<typeof withCredential>[1]['scopes'],
  work: (client: ScreeningClient) => Promise<void>,
): Promise<void> {
  const options = credentialOptions(terminal.home(), target);
  await withCredential(options, { name, scopes }, (credential) => work(new ScreeningClient(credential)));
}
