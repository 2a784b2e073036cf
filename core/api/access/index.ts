import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { OperatorDesk } from '../../domain/access/operators.ts';
import type { PassphraseHasher } from '../../domain/access/passphrase.ts';
import type { Operators, Sessions, SignInAttempts } from '../../domain/access/ports.ts';
import { SignIn } from '../../domain/access/signIn.ts';
import type { AuditLog } from '../../domain/audit/ports.ts';
import type { Clock, Companies } from '../../domain/ports.ts';
import { auditRoutes } from './auditRoutes.ts';
import { guardDashboard } from './guard.ts';
import { sessionRoutes } from './sessionRoutes.ts';
import { setupRoutes, type SetupPorts } from './setupRoutes.ts';

export interface AccessPorts {
  operators: Operators;
  sessions: Sessions;
  attempts: SignInAttempts;
  companies: Companies;
  hasher: PassphraseHasher;
  audit: AuditLog;
  clock: Clock;
  checkStorage: SetupPorts['checkStorage'];
  suggestedStorageFolder: string | null;
}

/** The dashboard's door: its guard, and the routes by which operators come in. Add it before any dashboard route. */
export async function openDashboardDoor(app: FastifyInstance, ports: AccessPorts): Promise<void> {
  await app.register(cookie);
  const signIn = new SignIn(ports);
  guardDashboard(app, signIn);
  sessionRoutes(app, { ...ports, signIn });
  auditRoutes(app, ports);
  setupRoutes(app, { ...ports, operators: new OperatorDesk(ports) });
}
