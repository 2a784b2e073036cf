import { DASHBOARD } from '../../contracts/dashboard/operation.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/errors.ts';
import type { ChangeFeed } from '../../storage/engine/changes.ts';
import { errorOf } from '../../contracts/errors/problem.ts';

/**
 * Cuts off a download when the session of its operator is ended, or the operator loses the permission. A file that took time to make
 * is refused before its first byte. A session that only expires in the meantime keeps its download.
 */
export function endWithdrawnDownloads(app: FastifyInstance, changes: ChangeFeed): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url?.startsWith(`${DASHBOARD}/`) !== true) return payload;
    const { operator, isWithdrawn } = request;
    const isStream = payload instanceof Readable;
    const isExport = isStream || request.routeOptions.config.operator?.needs === 'exports:create';
    if (operator === null || isWithdrawn === null || !isExport || reply.statusCode >= 400) return payload;
    const check = async () => {
      if (await isWithdrawn()) throw new ApiError('UNAUTHENTICATED');
    };
    if (isStream) {
      const unsubscribe = changes.subscribe(operator.companyId, (topics) => {
        if (topics.has('access')) check().catch((cause: unknown) => payload.destroy(errorOf(cause)));
      });
      payload.once('close', unsubscribe);
    }
    try {
      await check();
    } catch (cause) {
      if (isStream) payload.destroy();
      throw cause;
    }
    return payload;
  });
}
