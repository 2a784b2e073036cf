import type { EnrolState } from './run.ts';

const WIDTH = 30;
/** On something that is no terminal a line is written this often, milliseconds. */
const PLAIN_INTERVAL = 10_000;

/**
 * One line: enrolled, failed, waiting, rate and time left. The rate is that of this run alone; what an earlier run
 * did is in the counts only.
 */
export class ProgressBar {
  readonly #out: NodeJS.WriteStream;
  readonly #started = Date.now();
  #lastPlain = 0;
  #note = '';
  #state: EnrolState | undefined;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  update(state: EnrolState): void {
    this.#state = state;
    this.#note = '';
    this.#draw();
  }

  /** Why nothing moves, until the next progress. */
  note(text: string): void {
    this.#note = text;
    this.#draw();
  }

  end(): void {
    if (this.#out.isTTY && this.#state !== undefined) this.#out.write('\n');
  }

  #draw(): void {
    if (this.#state === undefined) return;
    const line = `${progressLine(this.#state, (Date.now() - this.#started) / 1000)}${this.#note && `  (${this.#note})`}`;
    if (this.#out.isTTY) {
      this.#out.write(`\r\u001b[K${line.slice(0, this.#out.columns - 1)}`);
    } else if (Date.now() - this.#lastPlain >= PLAIN_INTERVAL) {
      this.#lastPlain = Date.now();
      this.#out.write(`${line}\n`);
    }
  }
}

/** @param seconds since this run began */
export function progressLine(state: EnrolState, seconds: number): string {
  const done = state.enrolled + state.failed;
  const filled = state.total === 0 ? WIDTH : Math.floor((done / state.total) * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const rate = seconds > 0 ? (done - state.before) / seconds : 0;
  const left = rate > 0 ? duration((state.total - done) / rate) : '–';
  return `${bar} ${done}/${state.total}  ${state.enrolled} enrolled, ${state.failed} failed  ${rate.toFixed(1)}/s  ${left} left`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
