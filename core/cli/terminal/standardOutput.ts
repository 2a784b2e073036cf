import { Console } from 'node:console';
import { fstatSync, fsyncSync, writeSync, type Stats } from 'node:fs';
import { Writable } from 'node:stream';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { printable } from '../../contracts/displayName.ts';
import { isFullDisk } from '../../storage/engine/fsync.ts';
import { reasonOf } from './inputFile.ts';
import { CliError, EXIT } from './output.ts';
import { errorOf } from '../../contracts/errors/problem.ts';

/**
 * The standard output of a command. Node does not report a full disk: `console.log` drops the error, and a file that accepts
 * half of a text loses the other half silently. This class keeps the first failure, and the program ends with it.
 */
class StandardOutput {
  readonly #file: boolean;
  #failure: Error | undefined;
  readonly #stream: Writable;

  constructor() {
    this.#file = isFile(statOf(process.stdout.fd));
    this.#stream = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        this.#put(Buffer.from(printable(text)), done);
      },
    });
  }

  /** Redirects `console.log` of this process to this output, so that no control sequence in data reaches a terminal. */
  takeConsole(): void {
    // Pipes and terminals report failed writes here. Without a listener, Node ends with a stack trace.
    process.stdout.on('error', (error) => {
      this.#failure ??= error;
    });
    globalThis.console = new Console({ stdout: this.#stream, stderr: ERRORS });
  }

  /** Writes a text and waits until the operating system has it, and for a file until the disk has it. @throws {CliError} it cannot be written */
  async deliver(text: string): Promise<void> {
    await new Promise((resolve) => this.#stream.write(text, resolve));
    await this.#settled();
    if (this.#failure !== undefined) throw cannotPrint(this.#failure);
  }

  /**
   * Ends the output of the program. A reader that stops early (`| head -1`) is not a failure.
   * @throws {CliError} something that was printed could not be written
   */
  async finish(): Promise<void> {
    await this.#settled();
    if (this.#failure !== undefined && !isClosedPipe(this.#failure)) throw cannotPrint(this.#failure);
  }

  #put(chunk: Buffer, done: () => void): void {
    if (this.#failure !== undefined) {
      done();
      return;
    }
    if (!this.#file) {
      process.stdout.write(chunk, (error) => {
        this.#failure ??= error ?? undefined;
        done();
      });
      return;
    }
    this.#attempt(() => {
      for (let left = chunk; left.length > 0;) left = left.subarray(writeSync(process.stdout.fd, left));
    });
    done();
  }

  async #settled(): Promise<void> {
    await new Promise((resolve) => this.#stream.write('', resolve));
    if (!this.#file || this.#failure !== undefined) return;
    this.#attempt(() => {
      fsyncSync(process.stdout.fd);
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (cause) {
      // A device such as /dev/null cannot be synced, and need not be.
      if (!hasSystemCode(cause, 'EINVAL')) this.#failure ??= errorOf(cause);
    }
  }
}

/** The standard error. Its messages can quote names and paths as well. */
const ERRORS = new Writable({
  decodeStrings: false,
  write: (text: string, _encoding, done) => {
    process.stderr.write(printable(text), () => done());
  },
});

/** The standard output of this process. */
export const standardOutput = new StandardOutput();

function cannotPrint(cause: Error): CliError {
  const remedy = isFullDisk(cause) ? ' Free some room and run the command again.' : '';
  return new CliError(`The output could not be written: ${reasonOf(cause)}.${remedy}`, EXIT.failed);
}

function isClosedPipe(cause: unknown): boolean {
  return hasSystemCode(cause, 'EPIPE', 'ERR_STREAM_DESTROYED');
}

/** Files and character devices other than a terminal, to which Node writes without waiting. */
function isFile(stat: Stats | undefined): boolean {
  return stat !== undefined && (stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY));
}

function statOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}
