import { join } from 'node:path';
import { pino, type Logger } from 'pino';

/** Keeps ten files of 10 MB: enough for weeks of an ordinary site, never a full disk. */
const ROTATION = { size: '10m', frequency: 'daily', limit: { count: 10 } };

/**
 * JSON lines into the home's log folder, rotated; readable lines on the terminal as well when asked.
 * Nothing personal belongs in a line: what could hold it is cut out here as a last resort.
 */
export function openLog(folder: string, level: string): Logger {
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
    pino.transport({
      target: 'pino-roll',
      options: { file: join(folder, 'vouch'), extension: '.log', mkdir: true, ...ROTATION },
    }),
  );
}
