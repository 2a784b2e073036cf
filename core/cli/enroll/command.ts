import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withCredential, type CredentialOptions } from '../credential.ts';
import { holdFile } from '../../storage/index.ts';
import { CliError, EXIT } from '../output.ts';
import { PhotoNames } from '../photoNames.ts';
import { EnrolmentClient } from './client.ts';
import { planFolder } from './plan.ts';
import { ProgressBar } from './progressBar.ts';
import { summaryLines, writeCsv } from './report.ts';
import { enrolFolder } from './run.ts';

interface EnrolCommandOptions extends CredentialOptions {
  json: boolean;
  batch: number;
  maxBytes: number;
  csv?: string;
}

/** `vouch enroll FOLDER`. @returns the exit code */
export async function enrolCommand(folder: string, options: EnrolCommandOptions): Promise<number> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new CliError(`${folder} is not a folder. Name the folder that holds the photos.`);
  const { files, skipped } = await planFolder(folder, options.maxBytes);
  if (!options.json)
    console.log(`${files.length} photos to send, ${skipped.length} files skipped, in ${resolve(folder)}`);
  return withCredential(options, { name: 'vouch enroll', scopes: ['enroll'] }, async ({ address, token }) => {
    const bar = new ProgressBar(process.stderr);
    const client = new EnrolmentClient({
      address,
      token,
      onWait: (why) => {
        bar.note(why);
      },
    });
    const journal = journalFile(options, address, folder);
    await mkdir(dirname(journal), { recursive: true, mode: 0o700 });
    const held = holdFile(`${journal}.lock`);
    if (held === undefined)
      throw new CliError(`Another vouch enroll works on ${folder} already.`, EXIT.failed);
    const list = await enrolFolder({
      folder,
      files,
      batchSize: options.batch,
      client,
      journalFile: journal,
      names: PhotoNames.of(options.home),
      onProgress: (state) => {
        bar.update(state);
      },
    }).finally(() => {
      held.release();
    });
    bar.end();
    if (options.json) console.log(JSON.stringify({ answers: list, skipped }, null, 2));
    else console.log(summaryLines(list, skipped).join('\n'));
    // Last: they are enrolled whether or not it can be written there.
    if (options.csv !== undefined) writeCsv(options.csv, list, skipped);
    return list.every(({ status }) => status === 'enrolled') ? EXIT.ok : EXIT.someImagesFailed;
  });
}

/** The run's memory: one file per service, company and folder, in the home, never among the photos. */
function journalFile(options: EnrolCommandOptions, address: string, folder: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([address, options.company ?? '', resolve(folder)]))
    .digest('hex');
  return join(options.home, 'enrolments', `${name.slice(0, 32)}.jsonl`);
}
