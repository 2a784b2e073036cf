import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { CLIENT_FILES } from '../../../contracts/dashboard/clients.ts';
import { DASHBOARD, requirePermission } from './guard.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'clients');

/**
 * The client programs, for any operator who is signed in. Each file has its own route and is read once at the start, so
 * no request names a path. Throws at the start when a file is missing from the installation.
 */
export function clientRoutes(app: FastifyInstance): void {
  for (const file of Object.values(CLIENT_FILES)) {
    const content = readFileSync(join(FOLDER, file));
    app.get(
      `${DASHBOARD}/clients/${file}`,
      { config: requirePermission('session'), schema: { hide: true } },
      (_request, reply) =>
        reply
          .type('application/octet-stream')
          .header('content-disposition', `attachment; filename="${file}"`)
          .send(content),
    );
  }
}
