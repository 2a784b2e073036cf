/** The output of `vouch --json serve`, for the programs that start the service. */
import { z } from 'zod';

/** The one line on the standard output of a service that is ready. */
const ready = z.object({
  address: z.string().nullable().describe('where it listens; null: it answers commands only'),
  home: z.string(),
  notice: z.string().nullable().describe('about the certificate for other machines'),
});
export type Ready = z.infer<typeof ready>;

/** The last line on the standard error of a command that failed with `--json`. */
const failed = z.object({ error: z.object({ message: z.string() }) });

/** @param line of the standard output @returns undefined for every other line */
export function readyIn(line: string): Ready | undefined {
  return ready.safeParse(parsed(line)).data;
}

/** @param said on the standard error @returns the message of its failure; the whole text where it holds none */
export function failureIn(said: string): string {
  for (const line of said.trim().split('\n').reverse()) {
    const { data } = failed.safeParse(parsed(line));
    if (data !== undefined) return data.error.message;
  }
  return said.trim();
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
