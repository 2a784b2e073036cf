import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../http/errors.ts';
import { MANUAL_POLICY, PAGE_PERMISSIONS, PAGE_POLICY } from './pagePolicy.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
};
/** The addresses of the screens: each of them is the one page, which then reads the address. */
const SCREENS = [
  '/',
  '/validations*',
  '/review*',
  '/verify',
  '/compare*',
  '/examinations*',
  '/case-folders*',
  '/system*',
  '/erasures*',
  '/exchange*',
  '/enrol*',
  '/search*',
  '/duplicates*',
  '/persons*',
  '/settings*',
  '/signatures*',
  '/trust-flows*',
  '/audit*',
  '/company/*',
];
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Vouch</title>
<h1>The dashboard is not built</h1>
<p>The service is running, and so is its API. To build the dashboard, run <code>npm run build:ui</code> in the project's folder and start the service again.</p></html>`;

/**
 * Serves the built dashboard. Its few files are read together when the first is asked for, and are held in memory: no address
 * reaches the disk, and the files of two builds do not mix.
 * @param folder where `npm run build:ui` put it
 */
export function dashboardPages(app: FastifyInstance, folder: string): void {
  let read: ReadonlyMap<string, Buffer> | undefined;
  const files = () => (read ??= readTree(folder));
  const send = (reply: FastifyReply, status: number) => {
    const page = files().get('index.html');
    return reply
      .code(page === undefined ? 503 : status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .header('permissions-policy', PAGE_PERMISSIONS)
      .header('referrer-policy', 'no-referrer')
      .send(page ?? NOT_BUILT);
  };
  for (const url of SCREENS) app.get(url, { schema: { hide: true } }, (_request, reply) => send(reply, 200));
  manualPages(app, files);
  // A person who mistyped an address gets the page, which says so and leads on; a program gets the envelope.
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const byPerson =
      !request.url.startsWith('/api/') && request.headers.accept?.includes('text/html') === true;
    if (!byPerson) throw new ApiError('NOT_FOUND');
    return send(reply, 404);
  });
  app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, (request, reply) => {
    const file = `assets/${request.params.file}`;
    const packed = takesBrotli(request.headers['accept-encoding']) ? files().get(`${file}.br`) : undefined;
    const content = packed ?? files().get(file);
    if (content === undefined) throw new ApiError('NOT_FOUND');
    if (packed !== undefined) void reply.header('content-encoding', 'br');
    // The name carries a hash of the content: another content has another name.
    return reply
      .type(TYPES[extname(file)] ?? 'application/octet-stream')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .send(content);
  });
}

/** The manual: static pages without a credential, because they describe the product and no installation. */
function manualPages(app: FastifyInstance, files: () => ReadonlyMap<string, Buffer>): void {
  const send = (reply: FastifyReply, name: string) => {
    const content = files().get(`manual/${name}`);
    if (content === undefined) throw new ApiError('NOT_FOUND');
    return reply
      .type(TYPES[extname(name)] ?? 'application/octet-stream')
      .header('content-security-policy', MANUAL_POLICY)
      .header('referrer-policy', 'no-referrer')
      .send(content);
  };
  app.get('/manual', { schema: { hide: true } }, (_request, reply) => reply.redirect('/manual/'));
  app.get<{ Params: { '*': string } }>('/manual/*', { schema: { hide: true } }, (request, reply) =>
    send(reply, request.params['*'] === '' ? 'index.html' : request.params['*']),
  );
}

/** @returns the files below a folder by their path with forward slashes; none where there is no folder */
function readTree(folder: string): Map<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1).replaceAll(sep, '/'), readFileSync(path)];
      }),
  );
}

/** Whether a browser takes Brotli. A weight of 0 refuses it. @param accepted the header Accept-Encoding */
function takesBrotli(accepted: string | string[] = ''): boolean {
  return String(accepted)
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()))
    .some(([name, weight = 'q=1']) => name === 'br' && Number(weight.slice('q='.length)) > 0);
}
