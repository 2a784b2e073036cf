import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestTurn, RequestTurns } from '../../domain/ports/machine.ts';

/** Gives each request a turn in which settings are compared with the store of several services once. */
export function takeTurns(app: FastifyInstance, turns: RequestTurns): void {
  const kept = new WeakMap<FastifyRequest, RequestTurn>();
  app.addHook('onRequest', (request, reply, done) => {
    const turn = turns.begin();
    kept.set(request, turn);
    reply.raw.once('close', () => {
      turn.end();
    });
    turn.run(done);
  });
  // A body is read by events of its connection, which know no turn.
  app.addHook('preValidation', (request, _reply, done) => {
    kept.get(request)!.run(done);
  });
}
