import { problem, type Problem, CodedError } from '../../contracts/errors/problem.ts';
import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { NetworkListener, NetworkSocket } from '../../domain/ports/network.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';

/** How the listener treats connections, as the loopback listener does. */
interface ConnectionRules extends ServerOptions {
  /** A socket on which nothing moves for this long is closed; milliseconds. */
  idle: number;
  /** Bounds the connections of each server that is opened. */
  bound: (server: Server) => void;
  /** Answers what is no request. */
  unparsable: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

/** Milliseconds that an answer in progress may still take after other machines are shut out. */
const CLOSE_GRACE_PERIOD_MS = 2_000;

/** The error of the operating system, and the step that resolves it. */
const REASONS: Record<string, (listener: NetworkListener) => Problem> = {
  EADDRINUSE: ({ port }) => problem('NETWORK_PORT_TAKEN', { port }),
  EADDRNOTAVAIL: ({ address }) => problem('NETWORK_ADDRESS_FOREIGN', { address }),
  EACCES: ({ port }) => problem('NETWORK_PORT_FORBIDDEN', { port }),
};

/** Stops listening at once, and soon ends the requests that are still open. */
async function ended(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_GRACE_PERIOD_MS);
  await closed;
  clearTimeout(cut);
}

/** Where other machines come in: TLS, and the same interface behind it. */
export class NetworkListenerServer implements NetworkSocket {
  #handler: RequestListener | undefined;
  #rules: ConnectionRules | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #open: { server: Server; listener: NetworkListener } | undefined;

  /**
   * The application that answers here. It is given after the construction, because the application that answers is composed of services
   * that turn this listener on and off.
   */
  attach(handler: RequestListener, rules: ConnectionRules): void {
    this.#handler = handler;
    this.#rules = rules;
  }

  /** Values that `Host` may have before the port. */
  get names(): readonly string[] {
    return this.#open?.listener.names ?? [];
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  async open(listener: NetworkListener, store?: () => Promise<void>): Promise<void> {
    const before = this.#open?.listener;
    await this.close();
    try {
      this.#open = { server: await this.#listen(listener), listener };
      await store?.();
    } catch (cause) {
      await this.close();
      if (before !== undefined) await this.#restore(before, cause);
      throw cause;
    }
  }

  /** @throws {CodedError} it cannot listen as before either: both reasons */
  async #restore(before: NetworkListener, cause: unknown): Promise<void> {
    try {
      this.#open = { server: await this.#listen(before), listener: before };
    } catch (error) {
      const causes = { cause: systemProblem(cause), again: systemProblem(error) };
      throw new CodedError(problem('NETWORK_NOT_RESTORED', causes), {
        cause: new AggregateError([cause, error]),
      });
    }
  }

  /** From here on no request is taken; answers on their way have a moment. */
  close(): Promise<void> {
    const { server } = this.#open ?? {};
    this.#open = undefined;
    if (server !== undefined) this.#ended = Promise.all([this.#ended, ended(server)]);
    return Promise.resolve();
  }

  /** @returns when the last answer has gone */
  async shutDown(): Promise<void> {
    await this.close();
    await this.#ended;
  }

  async #listen(listener: NetworkListener): Promise<Server> {
    if (this.#handler === undefined || this.#rules === undefined)
      throw new Error('The network listener was opened before a request handler was attached.');
    const { idle, bound, unparsable, ...options } = this.#rules;
    const { certificate: cert, privateKey: key } = listener;
    const server = createServer({ ...options, cert, key, minVersion: 'TLSv1.2' }, this.#handler);
    bound(server);
    server.setTimeout(idle);
    server.on('clientError', unparsable);
    // No answer can be written before the handshake has ended.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const { address, port } = listener;
        const reason =
          REASONS[error.code ?? '']?.(listener) ??
          problem('NETWORK_NOT_LISTENING', { address, port, cause: systemProblem(error) });
        reject(new CodedError(reason, { cause: error }));
      });
      server.listen(listener.port, listener.address, resolve);
    });
    return server;
  }
}
