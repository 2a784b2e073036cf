import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Companies } from '../../../domain/ports/companies.ts';
import type { Clock } from '../../../domain/ports/machine.ts';
import type { CredentialServicePorts } from '../../../domain/credentials/service.ts';
import type { AccessServices } from '../../../domain/services.ts';
import type { CallerLimits } from '../../http/callerLimits.ts';
import type { UnauthenticatedLimits } from '../../http/unauthenticatedLimits.ts';
import { auditRoutes, type AuditRoutePorts } from './audit.ts';
import { clientRoutes } from './client.ts';
import { credentialRoutes } from './credential.ts';
import { exportRoutes, type ExportRoutePorts } from './export.ts';
import { guardDashboard } from './guard.ts';
import { operatorRoutes } from './operator.ts';
import { sessionRoutes } from './session.ts';
import { setupRoutes, type SetupPorts } from './setup.ts';

export interface AccessPorts
  extends AuditRoutePorts, ExportRoutePorts, CredentialServicePorts, AccessServices {
  companies: Companies;
  clock: Clock;
  storageFolders: SetupPorts['storageFolders'];
}

/** The dashboard's sign-in: its guard, and the routes by which operators come in. Add it before any dashboard route. */
export async function registerDashboardAuth(
  app: FastifyInstance,
  ports: AccessPorts & { unauthenticated: UnauthenticatedLimits; callers: CallerLimits },
): Promise<void> {
  await app.register(cookie);
  guardDashboard(app, ports);
  sessionRoutes(app, ports);
  auditRoutes(app, ports);
  exportRoutes(app, ports);
  operatorRoutes(app, ports);
  credentialRoutes(app, ports);
  clientRoutes(app);
  setupRoutes(app, { ...ports, operators: ports.operatorService });
}
