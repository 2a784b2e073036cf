import { join } from 'node:path';
import { pino, type DestinationStream, type Logger } from 'pino';
import { tryWriting } from '../platform/tryWriting.ts';
import { messageOf } from '../contracts/errors/problem.ts';

/** Keeps ten files of 10 MB: enough for weeks of an ordinary installation, never a full disk. */
const ROTATION = { size: '10m', frequency: 'daily', limit: { count: 10 } };
/** Milliseconds until files that could not be written are opened again. */
const REOPEN_AFTER = 10_000;
/** Milliseconds between two messages on the terminal about a log that cannot be written. */
const REPORT_AFTER = 3_600_000;

/**
 * JSON lines into the home's log folder, rotated; readable lines on the terminal as well when asked.
 * Nothing personal belongs in a line: what could hold it is cut out here as a last resort.
 * @param reopenAfter milliseconds until files that could not be written are opened again
 */
export function openLog(folder: string, level: string, reopenAfter = REOPEN_AFTER): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'req.headers.authorization',
          'req.headers.cookie',
          '*.token',
          '*.secret',
          '*.key',
          '*.fileName',
        ],
        censor: '[removed]',
      },
    },
    new RotatedFiles(folder, reopenAfter),
  );
}

/** A full or broken disk costs lines of the log, and never the service. The next line that is written names the gap. */
class RotatedFiles implements DestinationStream {
  readonly #folder: string;
  readonly #reopenAfter: number;
  #files: ReturnType<typeof pino.transport> | undefined;
  #lostSince: number | undefined;
  #reportedAt = -Infinity;

  constructor(folder: string, reopenAfter: number) {
    this.#folder = folder;
    this.#reopenAfter = reopenAfter;
    this.#files = this.#open();
  }

  write(line: string): void {
    this.#files?.write(line);
  }

  flush(done: (error?: Error) => void): void {
    if (this.#files === undefined) done();
    else this.#files.flush(done);
  }

  #open(): ReturnType<typeof pino.transport> {
    const files = pino.transport({
      target: 'pino-roll',
      options: { file: join(this.#folder, 'vouch'), extension: '.log', mkdir: true, ...ROTATION },
    });
    files.on('error', (error: unknown) => {
      if (this.#files === files) this.#lose(error);
    });
    return files;
  }

  #lose(error: unknown): void {
    this.#files = undefined;
    this.#lostSince ??= Date.now();
    if (Date.now() - this.#reportedAt > REPORT_AFTER) {
      this.#reportedAt = Date.now();
      process.stderr.write(
        `The log in ${this.#folder} cannot be written (${messageOf(error)}). Its lines are lost until it can be written again.\n`,
      );
    }
    this.#reopenLater();
  }

  /** Not before the disk can be written: a thread that ends with an error leaves its file open in this process. */
  #reopenLater(): void {
    setTimeout(() => {
      tryWriting(this.#folder).then(
        () => {
          this.#reopen();
        },
        () => {
          this.#reopenLater();
        },
      );
    }, this.#reopenAfter).unref();
  }

  #reopen(): void {
    const files = this.#open();
    this.#files = files;
    const line = {
      level: 40,
      time: new Date().toISOString(),
      since: new Date(this.#lostSince ?? Date.now()).toISOString(),
      msg: 'the log could not be written; lines since then are missing',
    };
    files.write(`${JSON.stringify(line)}\n`);
    // A thread writes the line, and its stream reports errors alone: without one until then, the line is written.
    setTimeout(() => {
      if (this.#files === files) this.#lostSince = undefined;
    }, this.#reopenAfter).unref();
  }
}
