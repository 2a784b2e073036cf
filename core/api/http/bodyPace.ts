import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasBody, isOpen } from './bodyMeter.ts';
import type { Bounds } from './bounds.ts';
import { ApiError } from './errors.ts';

/** Between two looks at the bodies under way, milliseconds. */
const TICK = 500;

/** A body that is arriving. */
interface Body {
  request: FastifyRequest;
  socket: Socket;
  /** Bytes that the socket had received when the body began. */
  before: number;
  /**
   * How long the service has waited for the caller, milliseconds: without the time in which it did not read, until the
   * answer was sent; all time after that.
   */
  waited: number;
  /** The answer was sent: the rest is only received so that the caller can read it. */
  answered: boolean;
  overdue: boolean;
}

/**
 * Gives up bodies that come too slowly: 408 where no answer was sent yet, and the connection is closed. Without a least
 * rate, one byte from time to time would keep a connection for as long as a whole upload may take.
 */
export function paceBodies(app: FastifyInstance, bounds: Bounds): void {
  const bodies = new Set<Body>();
  let ticking: NodeJS.Timeout | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      const { socket } = request.raw;
      const body: Body = {
        request,
        socket,
        before: socket.bytesRead,
        waited: 0,
        answered: false,
        overdue: false,
      };
      bodies.add(body);
      reply.raw.once('finish', () => {
        body.answered = true;
        body.waited = 0;
      });
      ticking ??= setInterval(look, TICK).unref();
    }
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 408) void reply.header('connection', 'close');
    done();
  });
  app.addHook('onClose', () => {
    clearInterval(ticking);
  });

  function look(): void {
    for (const body of bodies) {
      const { raw } = body.request;
      if (raw.complete || raw.destroyed || body.socket.destroyed) bodies.delete(body);
      else if (body.answered || raw.readableLength === 0) wait(body);
    }
    if (bodies.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  }

  function wait(body: Body): void {
    body.waited += TICK;
    if (!isLate(body)) return;
    const { bodyMeter } = body.request;
    // The rest of an unread body cannot be skipped, so this ends the connection too.
    if (body.answered || body.overdue || bodyMeter === null) body.request.raw.destroy();
    else {
      body.overdue = true;
      bodyMeter.destroy(new ApiError('REQUEST_TIMEOUT'));
    }
  }

  function isLate({ request, socket, before, waited, answered }: Body): boolean {
    if (answered || isOpen(request)) return waited > bounds.openBody;
    const owed = (bounds.bodyRate * (waited - bounds.bodyGrace)) / 1000;
    return socket.bytesRead - before < owed;
  }
}
