import { median } from '../statistics.ts';

export type Work = (round: number) => unknown;

/** A sample repeats its work for about this long, so that the processor's clock can measure it. */
const SAMPLE_MS = 3;

/**
 * Runs all works in turn, round after round, so that a disturbance of the machine meets all of them alike.
 * @returns the median processor time of each in milliseconds: what this process used, on whatever thread, while
 * others may have had the processor core in between. Before, each work runs until its code is compiled for good.
 */
export async function processorTimes<Name extends string>(
  rounds: number,
  works: Record<Name, Work>,
): Promise<Record<Name, number>> {
  const samples = Object.entries<Work>(works).map(([name, work]) => ({
    name: name as Name,
    work,
    repeat: 1,
    times: [] as number[],
  }));
  let call = 0;
  for (const { work } of samples) await warmUp(work);
  for (let round = 0; round <= rounds; round++)
    for (const sample of samples) {
      const before = process.cpuUsage();
      for (let i = 0; i < sample.repeat; i++) await sample.work(call++);
      const each = usedSince(before) / sample.repeat;
      if (round > 0) sample.times.push(each);
      else sample.repeat = Math.max(1, Math.min(1000, Math.round(SAMPLE_MS / Math.max(each, 1e-3))));
    }
  return Object.fromEntries(samples.map(({ name, times }) => [name, median(times)])) as Record<Name, number>;
}

/** A service that has answered some hundred searches runs optimised code; so should what is measured. */
async function warmUp(work: Work): Promise<void> {
  const before = process.cpuUsage();
  for (let call = 0; call < 500 && usedSince(before) < 250; call++) await work(call);
}

function usedSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
