/** Processor time of work in this process. */

export interface Times {
  /** Milliseconds of all threads of the process. */
  median: number;
  least: number;
}

/** Runs before the first that counts: what is compiled while it runs is compiled by then. */
const WARMING = 8;
/** Even where few rounds are asked for; a single run is short. */
const LEAST_ROUNDS = 15;

export async function timesOf(work: () => Promise<unknown>, rounds: number): Promise<Times> {
  const times: number[] = [];
  for (let round = -WARMING; round < Math.max(rounds, LEAST_ROUNDS); round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1]!, least: times[0]! };
}
