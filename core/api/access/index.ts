import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { OperatorDesk, type OperatorDeskPorts } from '../../domain/access/operators.ts';
import { SignIn } from '../../domain/access/signIn.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { CredentialDeskPorts } from '../../domain/credentialDesk.ts';
import type { Strangers } from '../strangers.ts';
import { auditRoutes, type AuditRoutePorts } from './auditRoutes.ts';
import { credentialRoutes } from './credentialRoutes.ts';
import { exportRoutes, type ExportRoutePorts } from './exportRoutes.ts';
import { guardDashboard } from './guard.ts';
import { operatorRoutes } from './operatorRoutes.ts';
import { sessionRoutes } from './sessionRoutes.ts';
import { setupRoutes, type SetupPorts } from './setupRoutes.ts';

export interface AccessPorts
  extends OperatorDeskPorts, AuditRoutePorts, ExportRoutePorts, CredentialDeskPorts {
  companies: Companies;
  clock: Clock;
  storageFolders: SetupPorts['storageFolders'];
}

/** The dashboard's door: its guard, and the routes by which operators come in. Add it before any dashboard route. */
export async function openDashboardDoor(
  app: FastifyInstance,
  ports: AccessPorts & { strangers: Strangers },
): Promise<void> {
  await app.register(cookie);
  const signIn = new SignIn(ports);
  guardDashboard(app, signIn, ports.strangers);
  sessionRoutes(app, { ...ports, signIn });
  auditRoutes(app, ports);
  exportRoutes(app, ports);
  const desk = new OperatorDesk(ports);
  operatorRoutes(app, { ...ports, desk });
  credentialRoutes(app, ports);
  setupRoutes(app, { ...ports, operators: desk });
}
