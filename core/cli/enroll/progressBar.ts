import type { EnrolState } from './run.ts';

const WIDTH = 30;
const DEFAULT_COLUMNS = 80;
/** On something that is no terminal a line is written this often, milliseconds. */
const PLAIN_INTERVAL = 10_000;

/** Where progress is shown: a terminal, or a file that is read afterwards. */
interface Screen {
  isTTY: boolean;
  columns?: number;
  write(text: string): boolean;
}

/**
 * One line: enrolled, failed, waiting, rate and time left. The rate is that of this run alone; what an earlier run
 * did is in the counts only.
 */
export class ProgressBar {
  readonly #out: Screen;
  readonly #started = Date.now();
  #lastPlain = 0;
  #note = '';
  #state: EnrolState | undefined;

  constructor(out: Screen) {
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

  /** Leaves the last state on the screen or in the file. */
  end(): void {
    if (this.#state === undefined) return;
    this.#out.write(this.#out.isTTY ? '\n' : `${this.#line(this.#state)}\n`);
  }

  #draw(): void {
    if (this.#state === undefined) return;
    const line = this.#line(this.#state);
    if (this.#out.isTTY) {
      this.#out.write(`\r\u001b[K${line.slice(0, (this.#out.columns ?? DEFAULT_COLUMNS) - 1)}`);
    } else if (Date.now() - this.#lastPlain >= PLAIN_INTERVAL) {
      this.#lastPlain = Date.now();
      this.#out.write(`${line}\n`);
    }
  }

  #line(state: EnrolState): string {
    const line = progressLine(state, (Date.now() - this.#started) / 1000);
    return this.#note === '' ? line : `${line}  (${this.#note})`;
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
