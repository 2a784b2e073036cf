import { CodedError, ERRORS, problem, type Problem, messageOf } from '../contracts/errors/problem.ts';
import type { ErrorEntry } from '../contracts/errors/entries.ts';
import { resolve } from 'node:path';
import { CommanderError, InvalidArgumentError } from 'commander';
import { BackupRefused, HomeLocked } from '../storage/engine/refusals.ts';
import { VERSION } from '../platform/version.ts';
import { CliError, EXIT } from './terminal/output.ts';
import { addCommands, createProgram } from './program.ts';
import { standardOutput } from './terminal/standardOutput.ts';
import { terminalOf, type Terminal } from './terminal/terminal.ts';

/**
 * Runs one command line. A failure is printed on the standard error as text, or with `--json` as one line of JSON, the last
 * line there: `{"error":{"code":…,"message":…,"parameters":…,"exitCode":…}}`.
 * @param args without the program's own name. @returns the exit code
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  /** Messages of the library about a wrong command line, collected where they must not be printed as text. */
  let said = '';
  const program = createProgram({
    writeErr: (text) => {
      if (json) said += text;
      else process.stderr.write(text);
    },
  });
  if (!json) program.showHelpAfterError('Add --help to list the commands and options.');
  try {
    // `--version` applies with any other arguments, so it is read before the command.
    const { operands } = program.parseOptions([...args]);
    if (program.opts<{ version?: boolean }>().version === true) {
      showVersion(terminalOf(program));
      return EXIT.ok;
    }
    await addCommands(program, operands[0]);
    await program.parseAsync(args, { from: 'user' });
    // Some commands succeed although not for every image.
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    const { message, exitCode, reason } = failureOf(error);
    if (exitCode === EXIT.ok) return exitCode;
    if (json || message !== undefined) complain({ message: message ?? said, exitCode, reason }, json);
    return exitCode;
  }
}

/**
 * Waits until the output has been written. @param exitCode of the command
 * @returns that exit code, or the code of an output that could not be written
 */
export async function endWithOutput(exitCode: number, args: readonly string[]): Promise<number> {
  try {
    await standardOutput.finish();
    return exitCode;
  } catch (error) {
    if (exitCode !== EXIT.ok) return exitCode;
    const failure = failureOf(error);
    complain({ ...failure, message: failure.message ?? '' }, args.includes('--json'));
    return failure.exitCode;
  }
}

/** The failure that ended a command. */
interface Failure {
  /** undefined: the library that reads the command line has printed it */
  message: string | undefined;
  exitCode: number;
  /** undefined: the message is not in the catalogue */
  reason?: Problem | undefined;
}

function complain({ message, exitCode, reason }: Failure & { message: string }, json: boolean): void {
  if (!json) {
    console.error(`${message}${reason === undefined ? '' : remedyOf(reason)}`);
    return;
  }
  const code = reason?.code ?? (exitCode === EXIT.usage ? 'COMMAND_LINE_INVALID' : 'COMMAND_FAILED');
  const error = { code, message: wordsOf(message), parameters: reason?.parameters ?? {}, exitCode };
  console.error(JSON.stringify({ error }));
}

/** The remedy that the text of an error leaves out. Those of the public interface are for programs that use it. */
function remedyOf({ code }: Problem): string {
  const { frozen, remedy }: ErrorEntry = ERRORS[code];
  return frozen === true || remedy === undefined ? '' : ` ${remedy}`;
}

function showVersion(terminal: Terminal): void {
  const home = resolve(terminal.home());
  const facts = { version: VERSION, node: process.version, platform: `${process.platform}-${process.arch}` };
  terminal.print(
    { ...facts, home },
    `vouch ${facts.version}\nNode  ${facts.node} (${facts.platform})\nData directory  ${home}`,
  );
}

function failureOf(error: unknown): Failure {
  if (error instanceof CliError)
    return { message: error.message, exitCode: error.exitCode, reason: error.problem };
  if (error instanceof HomeLocked)
    return {
      message: error.message,
      exitCode: EXIT.failed,
      reason: problem('HOME_LOCKED', { sentence: error.message }),
    };
  if (error instanceof CodedError) {
    const exitCode = error instanceof BackupRefused ? EXIT.usage : EXIT.failed;
    return { message: error.message, exitCode, reason: error.problem };
  }
  // Thrown while a command runs, so the library has not printed it.
  if (error instanceof InvalidArgumentError) return { message: error.message, exitCode: EXIT.usage };
  if (error instanceof CommanderError)
    return { message: undefined, exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  return { message: messageOf(error), exitCode: EXIT.failed };
}

function wordsOf(text: string): string {
  return text.trim().replace(/^error: /, '');
}
