import { localApi, CONTENT_KEY_HEADER } from '../../contracts/local.ts';
import { Option, type Command } from 'commander';
import type { ErasedBefore, RevivedCredential } from '../../storage/index.ts';
import { CodedError, problem, sentenceOf } from '../../contracts/errors/problem.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { createBackupKey, readBackupKey, type BackupKey } from '../../encryption/backupKey.ts';
import { ask, withLocalApi } from '../client/localClient.ts';
import { NO_CONFIRM, showOnce, withOutput, type SecretOptions } from '../terminal/shownOnce.ts';
import { readSecret } from '../terminal/passphrase.ts';
import { answersYes, type Terminal } from '../terminal/terminal.ts';
import { exists, writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import { subcommand } from '../terminal/arguments.ts';

/** `vouch backup-key …`, `vouch backup` and `vouch restore`: a whole installation in one encrypted file, and back. */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  addBackupKeyCommands(
    program
      .command('backup-key')
      .description(
        'manage the key that opens backups (to sign in after a lost passphrase: vouch operator recovery-code)',
      ),
    terminal,
  );
  subcommand(
    program,
    'backup <file>',
    'write an encrypted backup and verify it; the service keeps running',
  ).action(async (file: string) => {
    await backUp(file, terminal);
  });
  program
    .command('restore <file>')
    .description('restore a backup here or on another machine; the current data directory is kept beside it')
    .option(
      '--backup-key-file <file>',
      'read the backup key from the first line of a file (default: type it)',
    )
    .option(
      '--replace',
      'replace the installation in the data directory without a question; it is kept beside',
    )
    .addOption(
      new Option(
        '--retention-erasures <replay|skip>',
        'records in the backup that retention rules erased here since: erase them again, or keep them (default: you are asked)',
      ).choices(['replay', 'skip']),
    )
    .addOption(
      new Option(
        '--revoked-credentials <revoke|reactivate>',
        'credentials in the backup that were revoked here since (default: you are asked)',
      ).choices(['revoke', 'reactivate']),
    )
    .action(async (file: string, options: RestoreOptions) => {
      await restore(file, options, terminal);
    });
}

function addBackupKeyCommands(backupKey: Command, terminal: Terminal): void {
  withOutput(backupKey.command('create'))
    .description('create the key that opens backups; it is shown only once')
    .option('--replace', 'replace the present key for future backups')
    .option(...NO_CONFIRM)
    .action(async (options: SecretOptions & { replace?: boolean }) => {
      await storeBackupKey(options, terminal);
    });
  subcommand(backupKey, 'show', 'show the fingerprint of the backup key').action(async () => {
    const shown = await ask(terminal.home(), localApi.backupKey);
    if (!terminal.isJson() && shown.fingerprint === null)
      throw new CliError('There is no backup key yet. Create one: vouch backup-key create');
    terminal.show(shown);
  });
}

async function storeBackupKey(
  options: SecretOptions & { replace?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { replace = false, output } = options;
  const { text, publicKey, fingerprint } = createBackupKey();
  await withLocalApi(terminal.home(), async (api) => {
    const earlier = await api.ask(localApi.backupKey);
    if (earlier.fingerprint !== null && !replace)
      throw new CliError(problem('BACKUP_KEY_EXISTS', { fingerprint: earlier.fingerprint }));
    const secret = { text, json: { backupKey: text, fingerprint }, typedBack: text.slice(-6) };
    const body = { replace, publicKey: Buffer.from(publicKey).toString('hex') };
    await showOnce(terminal, secret, options, () => api.ask(localApi.setBackupKey, { body }));
  });
  if (output !== undefined) terminal.show({ fingerprint, file: output });
  else if (!terminal.isJson())
    console.error(
      `Write the key down and keep it away from this machine. It is not shown again, and no backup opens without it. Fingerprint: ${fingerprint}. The age program reads the same line from a file: age -d -i KEYFILE BACKUP | tar tv`,
    );
}

async function backUp(file: string, terminal: Terminal): Promise<void> {
  const { made: manifest, bytes } = await writeAtomically(file, (partial) =>
    withLocalApi(terminal.home(), async (api) => {
      const { headers, body } = await api.open('POST /local/backup');
      await writeStream(partial, body);
      const { readBack } = await import('../../storage/index.ts');
      return readBack(partial, Buffer.from(String(headers[CONTENT_KEY_HEADER]), 'hex'));
    }),
  );
  const { program, createdAt, images, lost, damaged, anchor } = manifest;
  terminal.print(
    { file, bytes, program, createdAt, images, lost, damaged, anchor },
    `${file}: ${bytes} bytes, ${images} images, written and verified. Latest audit entry: ${anchor?.sequence ?? 0}.`,
  );
  if (lost.length + damaged.length > 0)
    throw new CliError(
      `The backup lacks images that the installation had lost before: ${lost.length} without a file (${some(lost)}), ${damaged.length} that cannot be decrypted (${some(damaged)}).`,
      EXIT.someImagesFailed,
    );
}

interface RestoreOptions {
  replace?: boolean;
  backupKeyFile?: string;
  retentionErasures?: 'replay' | 'skip';
  revokedCredentials?: 'revoke' | 'reactivate';
}

async function restore(
  file: string,
  { replace, backupKeyFile: keyFile, retentionErasures, revokedCredentials }: RestoreOptions,
  terminal: Terminal,
): Promise<void> {
  if (!(await exists(file))) throw new CliError(`There is no file ${file}.`);
  const key = backupKeyOf(await readSecret('Backup key (not shown): ', keyFile));
  const { openHome, restoreBackup } = await import('../../storage/index.ts');
  const home = openHome(terminal.home());
  const { manifest, audit, former, erasedAgain, credentials } = await restoreBackup(
    home,
    file,
    key,
    { now: () => new Date() },
    {
      existing: async (folder) => {
        if (replace !== true) await confirmReplacing(folder);
      },
      retention: async (found) => (retentionErasures ?? (await askRetention(found))) === 'replay',
      credentials: async (revived) => (revokedCredentials ?? (await askCredentials(revived))) === 'revoke',
    },
  );
  const { program, createdAt, images, lost, damaged } = manifest;
  if (terminal.isJson())
    terminal.show({
      home: home.folder,
      program,
      createdAt,
      images,
      lost,
      damaged,
      audit,
      former,
      erasedAgain,
      credentials,
    });
  else {
    console.log(`Restored to ${home.folder}: ${images} images, as of ${createdAt}.`);
    if (erasedAgain.records > 0)
      console.log(
        `The backup is older than ${erasedAgain.erasures} erasures of this installation. They were repeated: ${erasedAgain.records} records were erased from the restored data directory.`,
      );
    if (credentials !== null && credentials.revived > 0)
      console.log(
        `${credentials.revived} credentials that this installation had revoked were active in the backup. They are ${credentials.withdrawn ? 'revoked again' : 'active now'}.`,
      );
    if (credentials === null && former !== null)
      console.log(
        'The credentials were not compared with those revoked here, because the former database cannot be opened or belongs to another installation. Check API tokens, signing keys and operators.',
      );
    if (former !== null)
      console.log(`The former data directory is ${former}. Remove it when you no longer need it.`);
  }
  if (audit.firstBad !== null)
    throw new CliError(
      `The audit log in the backup is damaged. First invalid entry: ${audit.firstBad.sequence}. ${sentenceOf(audit.firstBad.problem)}`,
      EXIT.failed,
    );
}

/** @throws {CliError} mistyped; the message does not contain what was typed */
function backupKeyOf(typed: string): BackupKey {
  try {
    return readBackupKey(typed);
  } catch (cause) {
    throw cause instanceof CodedError ? new CliError(cause.problem) : cause;
  }
}

/** @throws {CliError} the operator declines, or the command runs without a terminal; nothing was changed */
async function confirmReplacing(folder: string): Promise<void> {
  const found = `${folder} has an installation already. The restored one replaces it. The present data is kept in a folder beside it.`;
  if (!process.stdin.isTTY)
    throw new CliError(
      `${found} Nothing was changed. Replace it with --replace, or restore to another folder with --home.`,
    );
  if (!(await answersYes(`${found}\nReplace the present installation?`)))
    throw new CliError('Nothing was changed. To restore to another folder, name it with --home.');
}

/** @throws {CliError} the command runs without a terminal; nothing was changed */
async function askRetention({ records, erasures }: ErasedBefore): Promise<'replay' | 'skip'> {
  const found = `The backup has ${records} records that retention rules erased here after it was written (${erasures} erasures).`;
  if (!process.stdin.isTTY)
    throw new CliError(
      `${found} Nothing was changed. Erase them again with --retention-erasures replay, or keep them with --retention-erasures skip. Erasures that a person requested are repeated in both cases.`,
    );
  const question = `${found}\nErase them again? If the clock was wrong then, answer no.`;
  return (await answersYes(question)) ? 'replay' : 'skip';
}

const CREDENTIAL_LABELS: Record<RevivedCredential['kind'], string> = {
  token: 'API token',
  'signing-key': 'signing key',
  operator: 'operator',
  role: 'former role of',
  passphrase: 'passphrase of',
  'recovery-code': 'sign-in recovery code',
  installation: 'trusted installation',
};

/** @throws {CliError} the command runs without a terminal; nothing was changed */
async function askCredentials(revived: readonly RevivedCredential[]): Promise<'revoke' | 'reactivate'> {
  const found = [
    'The backup has active credentials and rights that were revoked or replaced here after it was written:',
    ...revived.map(
      ({ kind, company, name }) => `  ${company}: ${CREDENTIAL_LABELS[kind]}${name === '' ? '' : ` ${name}`}`,
    ),
  ].join('\n');
  if (!process.stdin.isTTY)
    throw new CliError(
      `${found}\nNothing was changed. Revoke them again with --revoked-credentials revoke, or keep them active with --revoked-credentials reactivate.`,
    );
  return (await answersYes(`${found}\nRevoke them again?`)) ? 'revoke' : 'reactivate';
}

function some(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`;
}
