import { chmod, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { SendLocally } from '../../contracts/local.ts';
import { partOf } from '../dashboard/index.ts';
import { createServer } from '../../platform/nodeHttp.ts';

/** Makes a part of the routes of the local administrator, as {@link partOf} has it. */
export type CreateRoutes = (part: string | null) => Promise<FastifyInstance>;

/**
 * @param create called once for each part, when the first request comes
 * @returns the routes that answer a path; others are not loaded, because a command waits for them
 */
export function routesOnDemand(create: CreateRoutes): {
  of: (path: string) => Promise<FastifyInstance>;
  close(): Promise<void>;
} {
  const made = new Map<string | null, Promise<FastifyInstance>>();
  return {
    of(path) {
      const part = partOf(path);
      const app = made.get(part) ?? create(part);
      made.set(part, app);
      return app;
    },
    async close() {
      for (const app of made.values()) await (await app).close();
    },
  };
}

type Routes = ReturnType<typeof routesOnDemand>;

/**
 * Answers on the socket of a home, which only the account of the service can open.
 * @param path of the Unix socket, or name of the pipe on Windows
 * @returns `close`: closes the socket when the requests have been answered; `cut`: ends those that have not been
 */
export async function listenLocally(
  routes: Routes,
  path: string,
): Promise<{ close(): Promise<void>; cut(): void }> {
  // Without the time limit of Node: a backup or an import may take longer.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    routes.of(request.url ?? '').then(
      (app) => {
        app.routing(request, response);
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  if (process.platform !== 'win32') await rm(path, { force: true });
  const { promise: listens, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', reject).listen(path, () => {
    resolve(undefined);
  });
  await listens;
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed();
        });
      }),
    cut() {
      server.closeAllConnections();
    },
  };
}

/** Sends requests to the same routes in the process that has made them. */
export function sendInProcess(routes: Routes): SendLocally {
  return async ({ method, path, headers, body }) => {
    const payload =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array
        ? body
        : Readable.from(body, { objectMode: false });
    const app = await routes.of(path);
    const response = await app.inject({
      method,
      url: path,
      headers,
      payloadAsStream: true,
      ...(payload !== undefined && { payload }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.stream() };
  };
}
