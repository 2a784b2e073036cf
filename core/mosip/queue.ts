/** A connection to the broker of MOSIP by STOMP: requests come from one queue, answers go to another. */
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import {
  Client,
  ReconnectionTimeMode,
  StompSocketState,
  type IMessage,
  type IStompSocket,
} from '@stomp/stompjs';
import type { MosipConnection } from '../contracts/mosip.ts';
import type { Logger } from '../domain/ports/machine.ts';

/** Requests that may be under way together. */
const TOGETHER = 8;
const RECONNECT_MS = { first: 1_000, most: 60_000 };
const HEARTBEAT_MS = 10_000;
const PORTS = { 'stomp:': 61_613, 'stomp+ssl:': 61_614 } as const;

/** STOMP over TCP or TLS, in the form of a web socket, which the client expects. */
class StompSocket implements IStompSocket {
  readonly url: string;
  onopen: IStompSocket['onopen'];
  onclose: IStompSocket['onclose'];
  onerror: IStompSocket['onerror'];
  onmessage: IStompSocket['onmessage'];
  binaryType?: 'blob' | 'arraybuffer';
  readyState: StompSocketState = StompSocketState.CONNECTING;
  readonly #socket: Socket;

  constructor(broker: string) {
    this.url = broker;
    const { protocol, hostname, port } = new URL(broker);
    const host = hostname.replace(/^\[|\]$/g, '');
    const isSecure = protocol === 'stomp+ssl:';
    const at = { host, port: port === '' ? PORTS[isSecure ? 'stomp+ssl:' : 'stomp:'] : Number(port) };
    this.#socket = isSecure ? connectSecure({ ...at, servername: host }) : connectPlain(at);
    this.#socket.on(isSecure ? 'secureConnect' : 'connect', () => {
      this.readyState = StompSocketState.OPEN;
      this.onopen?.();
    });
    this.#socket.on('data', (bytes: Buffer) => {
      // The client keeps it: a view of a shared buffer would change under it.
      this.onmessage?.({ data: Uint8Array.from(bytes).buffer });
    });
    this.#socket.on('error', (error) => {
      this.onerror?.(error);
    });
    this.#socket.on('close', () => {
      this.readyState = StompSocketState.CLOSED;
      this.onclose?.();
    });
  }

  send(data: string | ArrayBuffer): void {
    this.#socket.write(typeof data === 'string' ? data : new Uint8Array(data));
  }

  close(): void {
    this.readyState = StompSocketState.CLOSING;
    this.#socket.end();
  }

  terminate(): void {
    this.#socket.destroy();
  }
}

export interface RequestQueue {
  readonly connected: boolean;
  /** Takes no more requests; resolves when those under way are answered. */
  close(): Promise<void>;
}

/**
 * Connects, and connects again after a loss. A request is acknowledged when the broker has its answer, so one that was cut off
 * is delivered once more.
 * @param answer must give a repeated request the same answer
 */
export function openQueue(
  { broker, user, password, requests, answers }: MosipConnection,
  answer: (request: string) => Promise<string>,
  log: Pick<Logger, 'warn' | 'error'>,
): RequestQueue {
  const underWay = new Set<Promise<void>>();
  let receipts = 0;
  const client = new Client({
    webSocketFactory: () => new StompSocket(broker),
    ...(user !== null && { connectHeaders: { login: user, passcode: password ?? '' } }),
    reconnectDelay: RECONNECT_MS.first,
    maxReconnectDelay: RECONNECT_MS.most,
    reconnectTimeMode: ReconnectionTimeMode.EXPONENTIAL,
    heartbeatIncoming: HEARTBEAT_MS,
    heartbeatOutgoing: HEARTBEAT_MS,
    onConnect: () => {
      client.subscribe(
        requests,
        (message) => {
          const work = reply(message).finally(() => underWay.delete(work));
          underWay.add(work);
        },
        { id: 'requests', ack: 'client-individual', 'prefetch-count': String(TOGETHER), ...PREFETCH },
      );
    },
    onStompError: ({ headers }) => {
      log.error({ broker, said: headers.message }, 'the broker of MOSIP refused the connection');
    },
    onWebSocketError: (error: unknown) => {
      log.warn({ err: error, broker }, 'the broker of MOSIP cannot be reached; trying again');
    },
  });
  const reply = async (message: IMessage): Promise<void> => {
    try {
      const body = await answer(message.body);
      const receipt = `answer-${(receipts += 1)}`;
      client.watchForReceipt(receipt, () => {
        message.ack();
      });
      // MOSIP reads a text message or bytes, as it sends them; without a length a broker makes a text message of it.
      const skipContentLengthHeader = message.headers['content-length'] === undefined;
      client.publish({
        destination: answers,
        body,
        headers: { receipt, persistent: 'true', ...correlation(message) },
        skipContentLengthHeader,
      });
    } catch (error) {
      log.warn({ err: error, broker }, 'a request of MOSIP was not answered; the broker delivers it again');
      // It does so on another connection.
      client.forceDisconnect();
    }
  };
  client.activate();
  return {
    get connected() {
      return client.connected;
    },
    async close() {
      if (client.connected) client.unsubscribe('requests');
      await Promise.all(underWay);
      await client.deactivate({ force: true });
    },
  };
}

/** ActiveMQ's name of it. */
const PREFETCH = { 'activemq.prefetchSize': String(TOGETHER) };

function correlation({ headers }: IMessage): Record<string, string> {
  const id = headers['correlation-id'];
  return id === undefined ? {} : { 'correlation-id': id };
}
