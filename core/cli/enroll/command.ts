import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Administrate } from '../../contracts/administration.ts';
import { asOwner } from '../owner.ts';
import { CliError, EXIT } from '../output.ts';
import { EnrolmentClient } from './client.ts';
import { planFolder } from './plan.ts';
import { ProgressBar } from './progressBar.ts';
import { summaryLines, writeCsv } from './report.ts';
import { enrolFolder } from './run.ts';

interface EnrolCommandOptions {
  home: string;
  company?: string;
  address?: string;
  token?: string;
  batch: number;
  maxBytes: number;
  csv?: string;
}

/** A token made for one run of this command lives at most this long, milliseconds. */
const TOKEN_LIFE = 7 * 24 * 60 * 60 * 1000;

/** `vouch enroll FOLDER`. @returns the exit code */
export async function enrolCommand(folder: string, options: EnrolCommandOptions): Promise<number> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new CliError(`${folder} is not a folder. Name the folder that holds the photos.`);
  const { files, skipped } = await planFolder(folder, options.maxBytes);
  console.log(`${files.length} photos to send, ${skipped.length} files skipped, in ${resolve(folder)}`);
  return withCredential(options, async ({ address, token }) => {
    const bar = new ProgressBar(process.stderr);
    const client = new EnrolmentClient({
      address,
      token,
      onWait: (why) => {
        bar.note(why);
      },
    });
    const answers = await enrolFolder({
      folder,
      files,
      batchSize: options.batch,
      client,
      journalFile: journalFile(options, address, folder),
      onProgress: (state) => {
        bar.update(state);
      },
    });
    bar.end();
    const list = [...answers.values()];
    if (options.csv !== undefined) writeCsv(options.csv, list, skipped);
    console.log(summaryLines(list, skipped).join('\n'));
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

/** With a token: anywhere. With a company: the owner's own service, through a token made for this run. */
async function withCredential<T>(
  options: EnrolCommandOptions,
  work: (credential: { address: string; token: string }) => Promise<T>,
): Promise<T> {
  const { company, token } = options;
  if (token !== undefined) return work({ address: options.address ?? 'http://127.0.0.1:4610', token });
  if (company === undefined) throw new CliError('Name the company (--company NAME), or give a --token-file.');
  return asOwner(options.home, async (administrate) => {
    const { address } = await administrate('status', {});
    if (address === null)
      throw new CliError('The service is not running. Start it with: vouch serve', EXIT.unreachable);
    const made = await temporaryToken(administrate, company);
    try {
      return await work({ address: options.address ?? address, token: made.token });
    } finally {
      await administrate('token.revoke', { company, id: made.id });
    }
  });
}

async function temporaryToken(
  administrate: Administrate,
  company: string,
): Promise<{ id: number; token: string }> {
  return administrate('token.create', {
    company,
    name: 'vouch enroll',
    scopes: ['enroll'],
    expiresAt: new Date(Date.now() + TOKEN_LIFE).toISOString(),
  });
}
