import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

/** The Content-Security-Policy of the documentation page: nothing leaves this origin. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Vouch API</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/index.css">
<link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png">
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/swagger-initializer.js"></script></html>`;
const START = `window.onload = () => {
  SwaggerUIBundle({
    url: '/docs/json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    validatorUrl: null,
    tryItOutEnabled: false,
  });
};`;
const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
/** Written by `npm run openapi`. */
const DESCRIPTION = join(import.meta.dirname, '..', '..', 'resources', 'openapi.json');

/** Serves the description of the interface, OpenAPI 3.1, at `/openapi.json`, and a page at `/docs` that needs no internet. */
export function documentationPages(app: FastifyInstance): void {
  const serve = (url: string, type: string, content: () => string | Promise<Buffer>) =>
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      if (url !== '/openapi.json') void reply.header('content-security-policy', POLICY);
      return reply.type(type).send(await content());
    });
  serve('/openapi.json', JSON_TYPE, () => readFile(DESCRIPTION));
  serve('/docs', 'text/html; charset=utf-8', () => PAGE);
  serve('/docs/json', JSON_TYPE, () => readFile(DESCRIPTION));
  serve('/docs/static/swagger-initializer.js', JS, () => START);
  for (const [file, type] of [
    ['swagger-ui.css', CSS],
    ['index.css', CSS],
    ['favicon-32x32.png', 'image/png'],
    ['swagger-ui-bundle.js', JS],
  ] as const)
    serve(`/docs/static/${file}`, type, () =>
      readFile(fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${file}`))),
    );
}
