/** Starts and supervises the service. Knows nothing of Electron, so that it is tested as it runs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { failureIn, readyIn } from '../core/contracts/serving.ts';
import { ALLOCATOR, inheritedEnvironment, NODE_OPTIONS } from '../core/runtime/environment.ts';

export interface CoreProcessOptions {
  /** The Node binary that ships with the product. */
  node: string;
  /** The service's program and its arguments, with `--json`; the Node options of every process of the product come before them. */
  args: readonly string[];
  /** 32 bytes; handed over through a pipe that nobody else sees. Absent: the service has a key file. */
  storeKey?: Uint8Array;
  /** First wait before a restart, milliseconds; doubles up to {@link LONGEST_WAIT}. */
  firstWait?: number;
}

export interface CoreEvents {
  /** It listens, at this address. */
  ready: [address: string];
  /** It ended unasked and is started again after `wait` milliseconds; `why` is what it said last. */
  restarting: [why: string, wait: number];
}

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;
/** A service that ran this long is healthy: the next fall begins with the shortest wait again. */
const HEALTHY_AFTER = 60_000;
/** What is kept of its error output, to show why it cannot start. */
const KEPT_ERRORS = 4_000;
/** A stop that takes longer is ended by force; work in progress is safe either way. */
const STOP_PATIENCE = 20_000;

/** The first one after the standard three. */
const KEY_DESCRIPTOR = 3;

/** A service that ended before it read the key says itself why. */
function giveKey(child: ChildProcess, key: Uint8Array): void {
  const pipe = child.stdio[KEY_DESCRIPTOR] as Writable;
  pipe.on('error', () => undefined);
  pipe.end(Buffer.from(key).toString('hex'));
}

/** Keeps the service running until it is stopped. */
export class CoreProcess extends EventEmitter<CoreEvents> {
  readonly #options: CoreProcessOptions;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wait: number;
  #stopping = false;

  constructor(options: CoreProcessOptions) {
    super();
    this.#options = options;
    this.#wait = options.firstWait ?? FIRST_WAIT;
  }

  start(): void {
    const { node, args, storeKey } = this.#options;
    const startedAt = Date.now();
    let errors = '';
    const child = spawn(node, [...NODE_OPTIONS, ...args], {
      // The channel at the end carries nothing: that it closes tells the service to end, also when the shell was killed.
      stdio: ['ignore', 'pipe', 'pipe', storeKey === undefined ? 'ignore' : 'pipe', 'ipc'],
      windowsHide: true,
      env: {
        ...inheritedEnvironment(),
        ...ALLOCATOR,
        ...(storeKey !== undefined && { VOUCH_STORE_KEY_FD: String(KEY_DESCRIPTOR) }),
      },
    });
    this.#child = child;
    if (storeKey !== undefined) giveKey(child, storeKey);
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-KEPT_ERRORS);
    });
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const address = readyIn(line)?.address;
      if (address != null) this.emit('ready', address);
    });
    child.on('error', (error) => {
      errors += error.message;
    });
    child.on('close', () => {
      if (!this.#stopping) this.#restart(failureIn(errors), Date.now() - startedAt);
    });
  }

  /** Ends the service cleanly: it finishes the images that are in work. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // Not `close`: that does not come when it was this side that closed the channel.
    const gone = once(child, 'exit');
    // Not a signal: on Windows that would be the end at once.
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE);
    await gone;
    clearTimeout(force);
  }

  #restart(why: string, ranFor: number): void {
    const { firstWait = FIRST_WAIT } = this.#options;
    const wait = ranFor >= HEALTHY_AFTER ? firstWait : this.#wait;
    this.#wait = Math.min(wait * 2, LONGEST_WAIT);
    this.emit('restarting', why, wait);
    this.#timer = setTimeout(() => {
      this.start();
    }, wait);
  }
}
