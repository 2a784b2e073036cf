import { CodedError } from '../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { networkAccessRequest, networkAccessState } from '../../contracts/network.ts';
import { isOperator } from '../../domain/ports/auditContext.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { invalidFields } from '../http/errors.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Letting other machines in, and out again. Certificates of the organisation's own authority are given at the terminal. */
export function networkRoutes(app: FastifyInstance, { network, clock }: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/system/network`;
  const change = requirePermission('network:write');
  routes.get(
    path,
    {
      config: requirePermission('system:read', { background: true }),
      schema: { hide: true, response: { 200: networkAccessState } },
    },
    () => network.state(),
  );
  routes.put(
    path,
    {
      config: change,
      schema: { hide: true, body: networkAccessRequest, response: { 200: networkAccessState } },
    },
    async (request) => {
      try {
        return await network.open(request.body, undefined, {
          by: operatorOf(request).actor,
          at: clock.now(),
        });
      } catch (error) {
        if (!(error instanceof CodedError) || !isOperator(operatorOf(request).actor)) throw error;
        throw invalidFields({ names: [error.problem] });
      }
    },
  );
  routes.post(
    `${path}/renew`,
    { config: change, schema: { hide: true, response: { 200: networkAccessState } } },
    async (request) => {
      try {
        return await network.renew({ by: operatorOf(request).actor, at: clock.now() });
      } catch (error) {
        if (!(error instanceof CodedError) || !isOperator(operatorOf(request).actor)) throw error;
        throw invalidFields({ certificate: [error.problem] });
      }
    },
  );
  routes.delete(
    path,
    { config: change, schema: { hide: true, response: { 200: networkAccessState } } },
    (request) => network.close({ by: operatorOf(request).actor, at: clock.now() }),
  );
}
