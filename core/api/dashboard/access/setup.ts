import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  recoveryCodeAnswer,
  setupRequest,
  setupState,
  storageCheck,
} from '../../../contracts/dashboard/session.ts';
import { ApiError, invalidFields } from '../../http/errors.ts';
import { DASHBOARD, requirePermission } from './guard.ts';
import type { PublicPorts } from '../../ports.ts';

/**
 * First run: a company and its admin, for the first person at this machine. The moment an operator
 * exists these routes say only that they are not needed.
 */
export function setupRoutes(app: FastifyInstance, ports: PublicPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/setup`;
  const config = requirePermission('none');
  const { operatorService: operators } = ports;
  const isOpen = async (request: FastifyRequest) => isOfThisMachine(request) && (await operators.isNew());

  routes.get(path, { config, schema: { hide: true, response: { 200: setupState } } }, async (request) => {
    const needed = await isOpen(request);
    return { needed, suggestedStorageFolder: needed ? await ports.storageFolders.suggested() : null };
  });
  routes.post(
    `${path}/storage`,
    {
      config,
      schema: {
        hide: true,
        body: z.object({ folder: z.string().trim().min(1).max(1000) }),
        response: { 200: storageCheck },
      },
    },
    async (request) => {
      if (!(await isOpen(request))) throw new ApiError('UNAUTHORIZED');
      return ports.storageFolders.check(request.body.folder);
    },
  );
  routes.post(
    path,
    { config, schema: { hide: true, body: setupRequest, response: { 200: recoveryCodeAnswer } } },
    async (request) => {
      if (!(await isOpen(request))) throw new ApiError('UNAUTHORIZED');
      const outcome = await operators.setUp(request.body, { by: 'local-admin', at: ports.clock.now() });
      if (outcome.kind === 'closed') throw new ApiError('UNAUTHORIZED');
      if (outcome.kind === 'invalid') throw invalidFields(outcome.errors);
      return { recoveryCode: outcome.recoveryCode };
    },
  );
}

function isOfThisMachine({ socket }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  return address === '::1' || address.replace('::ffff:', '').startsWith('127.');
}
