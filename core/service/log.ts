import { mkdirSync, readdirSync, lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino, type DestinationStream, type Logger } from 'pino';
import { tryWriting } from '../platform/tryWriting.ts';
import { messageOf } from '../contracts/errors/problem.ts';

/** Ten files of 10 MB beside the present one: enough for weeks of an ordinary installation, never a full disk. */
const OLD_FILES = 10;
const LARGEST_FILE = 10 * 2 ** 20;
const FILE_NAME = /^vouch\.(\d+)\.log$/;
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

/**
 * Files `vouch.1.log`, `vouch.2.log` and so on, each of one day at most. The process writes them itself: a thread for them takes a
 * third of the processor time of a start. A full or broken disk costs lines of the log, and never the service. The next line that is
 * written names the gap.
 */
class RotatedFiles implements DestinationStream {
  readonly #folder: string;
  readonly #reopenAfter: number;
  #file: ReturnType<typeof pino.destination> | undefined;
  #number = 1;
  #bytes = 0;
  /** When the day of the file ends. */
  #until = 0;
  #lostSince: number | undefined;
  #reportedAt = -Infinity;

  constructor(folder: string, reopenAfter: number) {
    this.#folder = folder;
    this.#reopenAfter = reopenAfter;
    this.#open();
  }

  write(line: string): void {
    if (this.#file === undefined) return;
    if (this.#bytes >= LARGEST_FILE || Date.now() >= this.#until) this.#next(this.#file);
    this.#bytes += Buffer.byteLength(line);
    this.#file.write(line);
  }

  /** Goes on with the newest file if it is of today, so that every restart does not begin one. */
  #open(): void {
    try {
      mkdirSync(this.#folder, { recursive: true });
      this.#number = Math.max(1, ...numbersIn(this.#folder));
      const { size = 0, mtimeMs = Date.now() } = lstatSync(this.#path(), { throwIfNoEntry: false }) ?? {};
      this.#bytes = size;
      this.#until = endOfDay(mtimeMs);
      const file = pino.destination({ dest: this.#path(), sync: false });
      this.#file = file;
      file.on('error', (error: unknown) => {
        if (this.#file !== file) return;
        file.destroy();
        this.#lose(error);
      });
    } catch (error) {
      this.#lose(error);
    }
  }

  #next(file: ReturnType<typeof pino.destination>): void {
    this.#number += 1;
    this.#bytes = 0;
    this.#until = endOfDay(Date.now());
    file.reopen(this.#path());
    this.#removeOld().catch((error: unknown) => {
      this.write(lineOf({ msg: 'old files of the log could not be removed', reason: messageOf(error) }));
    });
  }

  async #removeOld(): Promise<void> {
    for (const number of numbersIn(this.#folder))
      if (number < this.#number - OLD_FILES) await rm(this.#path(number), { force: true });
  }

  #path(number = this.#number): string {
    return join(this.#folder, `vouch.${number}.log`);
  }

  #lose(error: unknown): void {
    this.#file = undefined;
    this.#lostSince ??= Date.now();
    if (Date.now() - this.#reportedAt > REPORT_AFTER) {
      this.#reportedAt = Date.now();
      process.stderr.write(
        `The log in ${this.#folder} cannot be written (${messageOf(error)}). Its lines are lost until it can be written again.\n`,
      );
    }
    this.#reopenLater();
  }

  /** Not before the disk can be written. */
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
    this.#open();
    const since = new Date(this.#lostSince ?? Date.now()).toISOString();
    this.write(lineOf({ since, msg: 'the log could not be written; lines since then are missing' }));
    this.#file?.once('write', () => {
      this.#lostSince = undefined;
    });
  }
}

/** A warning about the log itself. */
function lineOf(fields: Record<string, string>): string {
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), ...fields })}\n`;
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = FILE_NAME.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** @returns the end of that day here, as a time in milliseconds */
function endOfDay(time: number): number {
  return new Date(time).setHours(24, 0, 0, 0);
}
