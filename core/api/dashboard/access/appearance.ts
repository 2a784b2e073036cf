import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { appearance, chosenAppearance } from '../../../contracts/dashboard/session.ts';
import { DASHBOARD, operatorOf, requirePermission } from './guard.ts';
import type { Appearances } from '../../../storage/identity/appearances.ts';

/** How the operator who asks wants the dashboard to look. */
export function appearanceRoutes(app: FastifyInstance, { appearances }: { appearances: Appearances }): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/session/appearance`;
  routes.get(
    path,
    {
      config: requirePermission('session', { background: true }),
      schema: { hide: true, response: { 200: chosenAppearance } },
    },
    async (request) => {
      const { companyId, id } = operatorOf(request);
      return { appearance: await appearances.read(companyId, id) };
    },
  );
  routes.put(
    path,
    { config: requirePermission('session'), schema: { hide: true, body: appearance } },
    async (request, reply) => {
      const { companyId, id } = operatorOf(request);
      await appearances.write(companyId, id, request.body);
      return reply.code(204).send();
    },
  );
}
