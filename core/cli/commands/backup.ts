import { createInterface } from 'node:readline/promises';
import { Option, type Command } from 'commander';
import {
  openHome,
  readBack,
  restoreBackup,
  type ErasedBefore,
  type RevivedCredential,
} from '../../storage/index.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { keyExists } from '../../admin/backupKey.ts';
import {
  BackupKeyInvalid,
  createBackupKey,
  readBackupKey,
  type BackupKey,
} from '../../domain/encryption/backupKey.ts';
import { withAdminSocketOrHome, withBackup } from '../client/adminClient.ts';
import { NO_CONFIRM, showOnce, withOut, type SecretOptions } from '../terminal/shownOnce.ts';
import { readSecret } from '../terminal/passphrase.ts';
import { exists, writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch recovery-key …`, `vouch backup`, `vouch restore`: everything of a home in one file, and back. */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  addRecoveryCommands(
    program
      .command('recovery-key')
      .description('the backup key: opens backups, lets nobody sign in (that is: operator recovery-key)'),
    terminal,
  );
  program
    .command('backup <file>')
    .description('write everything into one encrypted file, and read it back; the service goes on working')
    .action(async (file: string) => {
      await backUp(file, terminal);
    });
  program
    .command('restore <file>')
    .description('put a backup back, here or on another machine; what was in the home is kept beside it')
    .option('--recovery-key-file <file>', 'its first line, instead of typing the backup key')
    .addOption(
      new Option(
        '--retention-erasures <repeat|leave>',
        'records in the backup that retention rules erased here (default: you are asked)',
      ).choices(['repeat', 'leave']),
    )
    .addOption(
      new Option(
        '--withdrawn-credentials <withdraw|accept>',
        'credentials in the backup that were withdrawn here since (default: you are asked)',
      ).choices(['withdraw', 'accept']),
    )
    .action(async (file: string, options: RestoreOptions) => {
      await restore(file, options, terminal);
    });
}

function addRecoveryCommands(recovery: Command, terminal: Terminal): void {
  withOut(recovery.command('create'))
    .description('make the backup key; it is shown this once')
    .option('--replace', 'make another for the backups to come')
    .option(...NO_CONFIRM)
    .action(async (options: SecretOptions & { replace?: boolean }) => {
      await storeBackupKey(options, terminal);
    });
  recovery
    .command('show')
    .description('the fingerprint of the backup key that backups are sealed to')
    .action(async () => {
      const shown = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('recovery.show', {}),
      );
      if (!terminal.isJson() && shown.fingerprint === null)
        throw new CliError('There is no backup key yet. Make one: vouch recovery-key create');
      terminal.show(shown);
    });
}

async function storeBackupKey(
  options: SecretOptions & { replace?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { replace = false, out } = options;
  const { text, publicKey, fingerprint } = createBackupKey();
  await withAdminSocketOrHome(terminal.home(), async (administrate) => {
    const earlier = await administrate('recovery.show', {});
    if (earlier.fingerprint !== null && !replace) throw new CliError(keyExists(earlier.fingerprint));
    const secret = { text, json: { recoveryKey: text, fingerprint }, typedBack: text.slice(-6) };
    await showOnce(terminal, secret, options, () =>
      administrate('recovery.create', { replace, publicKey: Buffer.from(publicKey).toString('hex') }),
    );
  });
  if (out !== undefined) terminal.show({ fingerprint, file: out });
  else if (!terminal.isJson())
    console.error(
      `Write it down and keep it away from this machine. It is not shown again, and it alone opens a backup. Its fingerprint is ${fingerprint}. The age program reads the same line from a file: age -d -i KEYFILE BACKUP | tar tv`,
    );
}

async function backUp(file: string, terminal: Terminal): Promise<void> {
  const { made: manifest, bytes } = await writeAtomically(file, (partial) =>
    withBackup(terminal.home(), async ({ contentKey, content }) => {
      await writeStream(partial, content);
      return readBack(partial, contentKey);
    }),
  );
  const { program, createdAt, images, lost, damaged, anchor } = manifest;
  if (terminal.isJson()) terminal.show({ file, bytes, program, createdAt, images, lost, damaged, anchor });
  else
    console.log(
      `${file}: ${bytes} bytes, ${images} images, written and read back. Head of the audit log: entry ${anchor?.sequence ?? 0}.`,
    );
  if (lost.length + damaged.length > 0)
    throw new CliError(
      `The backup is complete but for what was gone before: ${lost.length} images had no file (${some(lost)}), ${damaged.length} could not be decrypted (${some(damaged)}).`,
      EXIT.someImagesFailed,
    );
}

interface RestoreOptions {
  recoveryKeyFile?: string;
  retentionErasures?: 'repeat' | 'leave';
  withdrawnCredentials?: 'withdraw' | 'accept';
}

async function restore(
  file: string,
  { recoveryKeyFile: keyFile, retentionErasures, withdrawnCredentials }: RestoreOptions,
  terminal: Terminal,
): Promise<void> {
  if (!(await exists(file))) throw new CliError(`There is no file ${file}.`);
  const key = backupKeyOf(await readSecret('Backup key (not shown): ', keyFile));
  const home = openHome(terminal.home());
  const { manifest, audit, former, erasedAgain, credentials } = await restoreBackup(
    home,
    file,
    key,
    { now: () => new Date() },
    {
      retention: async (found) => (retentionErasures ?? (await askRetention(found))) === 'repeat',
      credentials: async (revived) =>
        (withdrawnCredentials ?? (await askCredentials(revived))) === 'withdraw',
    },
  );
  const { program, createdAt, images, lost, damaged } = manifest;
  if (terminal.isJson())
    terminal.show({
      ...{ home: home.folder, program, createdAt, images, lost, damaged },
      ...{ audit, former, erasedAgain, credentials },
    });
  else {
    console.log(`Restored to ${home.folder}: ${images} images, as of ${createdAt}.`);
    if (erasedAgain.records > 0)
      console.log(
        `The backup is older than ${erasedAgain.erasures} erasures of this machine. They were repeated: ${erasedAgain.records} records were erased from the restored home.`,
      );
    if (credentials !== null && credentials.revived > 0)
      console.log(
        `${credentials.revived} credentials that this machine had withdrawn were in force in the backup. They are ${credentials.withdrawn ? 'withdrawn again' : 'in force now'}.`,
      );
    if (credentials === null && former !== null)
      console.log(
        'The credentials were not compared with those withdrawn here: the former database cannot be opened, or is of another installation. Check tokens, keys and operators.',
      );
    if (former !== null)
      console.log(`What was there before is in ${former}: remove it when it is not needed any more.`);
  }
  if (audit.firstBad !== null)
    throw new CliError(
      `The audit log in the backup is not whole. First bad entry: ${audit.firstBad.sequence}. ${audit.firstBad.problem}`,
      EXIT.failed,
    );
}

/** @throws {CliError} mistyped; the message does not contain what was typed */
function backupKeyOf(typed: string): BackupKey {
  try {
    return readBackupKey(typed);
  } catch (cause) {
    throw cause instanceof BackupKeyInvalid ? new CliError(cause.problem) : cause;
  }
}

/** @throws {CliError} no person can be asked; nothing was touched */
async function askRetention({ records, erasures }: ErasedBefore): Promise<'repeat' | 'leave'> {
  const found = `The backup holds ${records} records that retention rules erased on this machine after it was made (${erasures} erasures).`;
  if (!process.stdin.isTTY)
    throw new CliError(
      `${found} Nothing was touched. Say what becomes of them: --retention-erasures repeat erases them again, --retention-erasures leave keeps them. Erasures that a person requested are repeated in both cases.`,
    );
  const again = `${found}\nErase them again? If the clock was wrong then, answer no.`;
  return (await answersYes(again)) ? 'repeat' : 'leave';
}

/** @throws {CliError} no person can be asked; nothing was touched */
async function askCredentials(revived: readonly RevivedCredential[]): Promise<'withdraw' | 'accept'> {
  const found = [
    'The backup has credentials in force that were withdrawn or replaced on this machine after it was made:',
    ...revived.map(({ kind, company, name }) => `  ${company}: ${kind}${name === '' ? '' : ` ${name}`}`),
  ].join('\n');
  if (!process.stdin.isTTY)
    throw new CliError(
      `${found}\nNothing was touched. Say what becomes of them: --withdrawn-credentials withdraw keeps them out of force, --withdrawn-credentials accept puts them in force.`,
    );
  return (await answersYes(`${found}\nKeep them out of force?`)) ? 'withdraw' : 'accept';
}

async function answersYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question(`${question} (yes/no) `)).trim().toLowerCase();
    if (answer === 'yes' || answer === 'no') return answer === 'yes';
    throw new CliError('The answer must be yes or no. Nothing was touched.');
  } finally {
    lines.close();
  }
}

function some(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`;
}
