import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { CallerLimits, UnauthenticatedLimits } from '../../http/callerLimits.ts';
import { guardDashboard, serve } from './guard.ts';
import { sessionRoutes, setupRoutes } from './session.ts';
import type { PublicPorts } from '../../ports.ts';
import { get } from '../../../contracts/dashboard/operation.ts';
import { CLIENT_FILES } from '../../../contracts/dashboard/company.ts';

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

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'clients');

/**
 * The client programs, for any operator who is signed in. Each file has its own route and is read once at the start, so
 * no request names a path. Throws at the start when a file is missing from the installation.
 */
export function clientRoutes(app: FastifyInstance): void {
  for (const file of Object.values(CLIENT_FILES)) {
    const content = readFileSync(join(FOLDER, file));
    serve(app, get(`/clients/${file}`, 'session'), ({ reply }) =>
      reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${file}"`)
        .send(content),
    );
  }
}
