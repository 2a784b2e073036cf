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
import type { AccessPorts, PublicPorts } from '../../ports.ts';

/**
 * The sign-in of a browser: its guard, and the routes by which operators come in. Add it before any dashboard route. The local
 * administrator has no session, so the local socket lacks these routes.
 */
export async function registerSignIn(
  app: FastifyInstance,
  ports: PublicPorts & { unauthenticated: UnauthenticatedLimits; callers: CallerLimits },
): Promise<void> {
  await app.register(cookie);
  guardDashboard(app, ports);
  sessionRoutes(app, ports);
  setupRoutes(app, ports);
}

/** Who may use the installation, what they exported, and the record of what they did. */
export function accessRoutes(app: FastifyInstance, ports: AccessPorts): void {
  auditRoutes(app, ports);
  exportRoutes(app, ports);
  operatorRoutes(app, ports);
  credentialRoutes(app, ports);
  clientRoutes(app);
}
