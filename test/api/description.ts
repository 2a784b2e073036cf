/** Holds answers against the interface description: status, headers and every field. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Another test compares it with what the service serves. */
const FILE: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../resources/openapi.json'), 'utf8'),
);

/** The part of the description that a reference names; another value as it is. */
function resolved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  const path = String(value.$ref).slice(2).split('/');
  return path.reduce<unknown>((at, key) => (at as Json)[key], FILE);
}

const response = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.object({ $ref: z.string() })),
  content: z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) })),
});
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.unknown()).optional(),
  requestBody: z
    .object({ content: z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) })) })
    .optional(),
  responses: z.record(z.string(), z.preprocess(resolved, response)),
});
export type Operation = z.infer<typeof operation>;
const description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** Headers of HTTP itself and of the protection of browsers; they say nothing about an operation. */
const COMMON_HEADERS =
  /^(cache-control|connection|content-(length|type|security-policy)|cross-origin-.*|date|keep-alive|origin-agent-cluster|permissions-policy|referrer-policy|transfer-encoding|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

export interface Received {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Read, and its schemas compiled, once in a process: each test opens a site of its own. */
const DOCUMENT = description.parse(FILE);
const COMPILED = new Map<object, z.ZodType>();

/** The interface description, and what has been seen of it. */
export class Description {
  readonly document = DOCUMENT;
  readonly #paths: Record<string, Record<string, Operation>> = DOCUMENT.paths;
  /** `operationId status`, `operationId status header`, `operationId status field.of.body`. */
  readonly seen = new Set<string>();

  /** Every operation by `METHOD /path`. */
  operations(): Map<string, Operation> {
    const entries = Object.entries(this.#paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [`${method.toUpperCase()} ${path}`, each] as const),
    );
    return new Map(entries);
  }

  /**
   * Fails where an answer has a status, header or field that the description lacks, and remembers what it has. Paths
   * that are not described, and methods that a path lacks, are not looked at.
   */
  check(method: string, target: string, { status, headers, body }: Received): void {
    const found = this.#find(method, target.split('?', 1)[0]?.replace(/^\/+|\/+$/g, '') ?? '');
    if (found === undefined) return;
    const { operationId, responses } = found;
    const described = responses[status];
    assert.ok(
      described,
      `${operationId} answered ${status}, which is not described: ${JSON.stringify(body)}`,
    );
    this.seen.add(`${operationId} ${status}`);
    const names = new Map(Object.keys(described.headers).map((name) => [name.toLowerCase(), name]));
    for (const name of headers.keys()) {
      if (COMMON_HEADERS.test(name)) continue;
      assert.ok(
        names.has(name),
        `${operationId} answered ${status} with the header ${name}, which is not described`,
      );
      this.seen.add(`${operationId} ${status} ${names.get(name) ?? ''}`);
    }
    const { schema } = described.content['application/json'] ?? {};
    assert.ok(schema, `${operationId} ${status} has no schema`);
    const problems = this.problems(schema, body);
    assert.equal(problems, '', `${operationId} answered ${status}: ${problems}`);
    for (const field of fieldsOf(body)) this.seen.add(`${operationId} ${status} ${field}`);
  }

  /** @returns what is wrong with a value by a schema that allows no other fields than its own; empty: nothing */
  problems(schema: object, value: unknown): string {
    let compiled = COMPILED.get(schema);
    if (compiled === undefined) {
      compiled = z.fromJSONSchema(this.#closed(schema) as Parameters<typeof z.fromJSONSchema>[0]);
      COMPILED.set(schema, compiled);
    }
    const result = compiled.safeParse(value);
    return result.success ? '' : z.prettifyError(result.error);
  }

  /** The answers that the description documents: `operationId status …` for each status, header and field. */
  promised(): Set<string> {
    const all = new Set<string>();
    for (const { operationId, responses } of this.operations().values())
      for (const [status, { headers, content }] of Object.entries(responses)) {
        all.add(`${operationId} ${status}`);
        for (const name of Object.keys(headers)) all.add(`${operationId} ${status} ${name}`);
        if (Number(status) >= 400) continue;
        for (const { schema } of Object.values(content))
          for (const field of this.#fields(this.#closed(schema)))
            all.add(`${operationId} ${status} ${field}`);
      }
    return all;
  }

  #find(method: string, path: string): Operation | undefined {
    const segments = path.split('/');
    const match = Object.keys(this.#paths)
      .filter((template) => {
        const parts = template.slice(1).split('/');
        return (
          parts.length === segments.length &&
          parts.every((part, at) => part.startsWith('{') || part === segments[at])
        );
      })
      .sort((a, b) => a.split('{').length - b.split('{').length)[0];
    return match === undefined ? undefined : this.#paths[match]?.[method.toLowerCase()];
  }

  /** The schema with its references resolved, and closed to fields that it does not name. */
  #closed(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.#closed(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    if ('$ref' in schema) return this.#closed(resolved(schema));
    const closed = Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, this.#closed(value)]),
    );
    if (closed.properties !== undefined) closed.additionalProperties ??= false;
    delete closed.example;
    return closed;
  }

  #fields(schema: unknown, prefix = ''): string[] {
    if (typeof schema !== 'object' || schema === null) return [];
    const { properties, items, anyOf } = schema as { properties?: Json; items?: unknown; anyOf?: unknown[] };
    return [
      ...Object.entries(properties ?? {}).flatMap(([key, value]) => [
        prefix + key,
        ...this.#fields(value, `${prefix}${key}.`),
      ]),
      ...this.#fields(items, prefix),
      ...(anyOf ?? []).flatMap((each) => this.#fields(each, prefix)),
    ];
  }
}

/** The dotted names of all fields of a value; items of lists are not numbered. */
function fieldsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => fieldsOf(each, prefix));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    prefix + key,
    ...fieldsOf(each, `${prefix}${key}.`),
  ]);
}
