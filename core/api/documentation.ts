import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a multipart form of images; it reads the form itself, so no schema checks the body. */
    imageForm?: boolean;
  }
}

/** What a browser may do on the documentation page: nothing leaves this origin. */
const PAGE_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

const imageForm = z.object({
  'images[]': z
    .array(z.string().meta({ contentMediaType: 'application/octet-stream' }))
    .min(1)
    .max(50)
    .describe('JPEG or PNG files; also accepted as images[0], images[1]… and as images, repeated'),
});

/** Either of these: the entries of one object belong together. */
const BEARER = { bearer: [] };
const SIGNED = { userId: [], timestamp: [], signature: [] };

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}

const toJsonSchema = createJsonSchemaTransform({
  zodToJsonConfig: {
    override: ({ jsonSchema }) => {
      // What JavaScript can count to says nothing about the interface.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Answers may gain fields without breaking anybody.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  },
});

/**
 * Describes the interface from the schemas of its routes: OpenAPI 3.1 at `/openapi.json`, a page at `/docs` that needs
 * no internet. Register before the routes.
 */
export async function describeInterface(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vouch',
        version,
        description: 'Face duplicate detection, private blacklists and signature comparison on one site.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A token made in the dashboard.' },
          userId: header('X-USER-ID', 'Names the signing key.'),
          timestamp: header('X-TIMESTAMP', 'Unix seconds, within the window of the site (300 s).'),
          signature: header(
            'X-HMAC-SIGNATURE',
            'Lowercase hex of HMAC_SHA256(secret, X-TIMESTAMP + "\\n" + METHOD + "\\n" + path-with-query + "\\n" + ' +
              'hex(sha256(raw body))). Each signature is accepted once.',
          ),
        },
      },
    },
    transform: (document) => {
      const { route, schema } = document;
      const { access, bearerOnly, imageForm: takesImages } = route.config ?? {};
      const described = toJsonSchema({
        ...document,
        schema:
          takesImages === true ? { ...schema, consumes: ['multipart/form-data'], body: imageForm } : schema,
      });
      if (access === undefined || access === 'public') return described;
      const security = bearerOnly === true ? [BEARER] : [BEARER, SIGNED];
      return { ...described, schema: { ...described.schema, security } };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: { validatorUrl: null, tryItOutEnabled: false },
    theme: { title: 'Vouch API' },
  });
  app
    .withTypeProvider<ZodTypeProvider>()
    .get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
