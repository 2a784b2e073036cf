import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { CallerLimits } from '../../http/callerLimits.ts';
import type { UnauthenticatedLimits } from '../../http/unauthenticatedLimits.ts';
import { auditRoutes } from './audit.ts';
import { clientRoutes } from './client.ts';
import { credentialRoutes } from './credential.ts';
import { exportRoutes } from './export.ts';
import { guardDashboard } from './guard.ts';
import { operatorRoutes } from './operator.ts';
import { sessionRoutes } from './session.ts';
import { setupRoutes } from './setup.ts';
import type { PublicPorts } from '../../ports.ts';

/** The dashboard's sign-in: its guard, and the routes by which operators come in. Add it before any dashboard route. */
export async function registerDashboardAuth(
  app: FastifyInstance,
  ports: PublicPorts & { unauthenticated: UnauthenticatedLimits; callers: CallerLimits },
): Promise<void> {
  await app.register(cookie);
  guardDashboard(app, ports);
  sessionRoutes(app, ports);
  auditRoutes(app, ports);
  exportRoutes(app, ports);
  operatorRoutes(app, ports);
  credentialRoutes(app, ports);
  clientRoutes(app);
  setupRoutes(app, ports);
}
