import { CodedError } from '../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { networkAccessRequest, networkAccessState } from '../../contracts/network.ts';
import type { NetworkAccessService } from '../../domain/network/service.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { invalidFields } from '../http/errors.ts';

export interface NetworkRoutePorts {
  lan: NetworkAccessService;
  clock: Clock;
}

/** Letting other machines in, and out again. Certificates of the site's own authority are given at the terminal. */
export function networkRoutes(app: FastifyInstance, { lan, clock }: NetworkRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/system/lan`;
  const change = requirePermission('lan:write');
  routes.get(
    path,
    {
      config: requirePermission('system:read', { background: true }),
      schema: { hide: true, response: { 200: networkAccessState } },
    },
    () => lan.state(),
  );
  routes.put(
    path,
    {
      config: change,
      schema: { hide: true, body: networkAccessRequest, response: { 200: networkAccessState } },
    },
    async (request) => {
      try {
        return await lan.open(request.body, undefined, { by: operatorOf(request).actor, at: clock.now() });
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        throw invalidFields({ names: [error.problem] });
      }
    },
  );
  routes.post(
    `${path}/renew`,
    { config: change, schema: { hide: true, response: { 200: networkAccessState } } },
    async (request) => {
      try {
        return await lan.renew({ by: operatorOf(request).actor, at: clock.now() });
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        throw invalidFields({ certificate: [error.problem] });
      }
    },
  );
  routes.delete(
    path,
    { config: change, schema: { hide: true, response: { 200: networkAccessState } } },
    (request) => lan.close({ by: operatorOf(request).actor, at: clock.now() }),
  );
}
