/** Starts and supervises the service. Independent of Electron, so that tests run the real code. */
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { failureIn, readyIn } from '../core/contracts/serving.ts';
import { ALLOCATOR, inheritedEnvironment, NODE_OPTIONS } from '../core/platform/environment.ts';

export interface ServiceProcessOptions {
  /** The Node binary that ships with the product. */
  node: string;
  /** The service's program and its arguments, with `--json`; the Node options of every process of the product come before them. */
  args: readonly string[];
  /** 32 bytes, passed through a private pipe. Absent: the service has a key file. */
  storeKey?: Uint8Array | undefined;
  /** First wait before a restart, milliseconds; doubles up to {@link MAX_WAIT_MS}. */
  firstWait?: number;
}

export interface ServiceEvents {
  /** It listens, at this address. */
  ready: [address: string];
  /** It ended unexpectedly and is started again after `wait` milliseconds; `why` is its last output. */
  restarting: [why: string, wait: number];
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** A service that ran this long is healthy, so the next restart waits for the shortest time again. */
const HEALTHY_AFTER_MS = 60_000;
/** Characters of the error output that are kept, to show why it cannot start. */
const KEPT_ERRORS = 4_000;
/** A stop that takes longer is forced. Images in progress stay in the queue either way. */
const STOP_TIMEOUT_MS = 20_000;

/** The first one after the standard three. */
const KEY_DESCRIPTOR = 3;

/** A service that ended before it read the key reports the reason itself. */
function giveKey(child: ChildProcess, key: Uint8Array): void {
  const pipe = child.stdio[KEY_DESCRIPTOR] as Writable;
  pipe.on('error', () => undefined);
  pipe.end(Buffer.from(key).toString('hex'));
}

/** Keeps the service running until it is stopped. */
export class ServiceProcess extends EventEmitter<ServiceEvents> {
  readonly #options: ServiceProcessOptions;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wait: number;
  #stopping = false;

  constructor(options: ServiceProcessOptions) {
    super();
    this.#options = options;
    this.#wait = options.firstWait ?? FIRST_WAIT_MS;
  }

  start(): void {
    const { node, args, storeKey } = this.#options;
    const startedAt = Date.now();
    let errors = '';
    const child = spawn(node, [...NODE_OPTIONS, ...args], {
      // No message crosses the channel at the end. The service stops when the channel closes, also after this process was killed.
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

  /** Stops the service, which finishes the images in progress first. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // Not `close`, which is not emitted after this side closed the channel.
    const gone = once(child, 'exit');
    // Not a signal, which would kill the process at once on Windows.
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(force);
  }

  #restart(why: string, ranFor: number): void {
    const { firstWait = FIRST_WAIT_MS } = this.#options;
    const wait = ranFor >= HEALTHY_AFTER_MS ? firstWait : this.#wait;
    this.#wait = Math.min(wait * 2, MAX_WAIT_MS);
    this.emit('restarting', why, wait);
    this.#timer = setTimeout(() => {
      this.start();
    }, wait);
  }
}
