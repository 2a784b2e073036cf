/** Parts that all operations of the interface description share: their refusals, headers, parameters and examples. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { blacklistView } from '../../core/contracts/blacklists.ts';
import { supportStrength } from '../../core/contracts/certainty.ts';
import {
  groupDecided,
  groupDetailView,
  groupView,
  runStarted,
  runView,
} from '../../core/contracts/duplicateGroups.ts';
import { groupDecisionRequest } from '../../core/contracts/dashboard/duplicates.ts';
import { errorDetails } from '../../core/contracts/errors/body.ts';
import { faceCompareRequest, faceCompareResponse } from '../../core/contracts/faceComparisons.ts';
import { incompleteReason } from '../../core/contracts/incomplete.ts';
import { cursorMeta, personFaceView, personsChanged, personView } from '../../core/contracts/persons.ts';
import { signatureErrorBody, signatureMatchResponse } from '../../core/contracts/signatures.ts';
import { SIGNATURE_SET_PARTS, signatureSetResponse } from '../../core/contracts/signatureSets.ts';
import {
  blacklistProgress,
  blacklistReceipt,
  enrolmentProgress,
  enrolmentReceipt,
  errorBody,
  failureCode,
  pageLinks,
  timestamp,
  IDEMPOTENCY_KEY,
} from '../../core/contracts/uploads.ts';
import {
  blacklistEntry,
  blacklistMatch,
  historyEntry,
  personMatch,
  screeningFacts,
  validationDetail,
  validationSummary,
} from '../../core/contracts/validations.ts';
import {
  biometricsDetected,
  biometricsDetectionRequest,
  biometricsRegistrationV1Request,
  biometricsV1,
  biometricsV1Refusal,
  biometricsVerificationRequest,
  biometricsVerificationV1Request,
  createdVerification,
  createVerificationRequest,
  finalizeVerificationRequest,
} from '../../core/contracts/verifications.ts';
import examples from './examples.json' with { type: 'json' };

/** Version of the interface. It changes when the interface does, apart from the product's own version. */
export const INTERFACE_VERSION = '1.0.0';

interface Access {
  access?: unknown;
  countsAddress?: boolean;
  imageForm?: boolean;
  takesKey?: boolean;
}

/** The parts of an operation that this module reads and completes. */
export interface Operation {
  operationId?: string;
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
}

interface Media {
  schema: { $ref?: string; description?: string; properties?: { data?: { $ref?: string } } };
  example?: object;
}

const JSON_TYPE = 'application/json';

/** By operationId; no request where nothing is sent, or a form of files. A test holds them against the schemas. */
const EXAMPLES: Readonly<Record<string, { request?: object; response: object }>> = examples;

const V1_ERROR = 'ErrorV1';
const V3_ERROR = 'Error';

/** Schemas that the description writes once, under these names. */
const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  [V3_ERROR]: errorBody,
  [V1_ERROR]: signatureErrorBody,
  BiometricsDetection: biometricsDetectionRequest,
  BiometricsRegistrationV1: biometricsRegistrationV1Request,
  BiometricsRefusalV1: biometricsV1Refusal,
  BiometricsV1: biometricsV1,
  BiometricsVerification: biometricsVerificationRequest,
  BiometricsVerificationV1: biometricsVerificationV1Request,
  Blacklist: blacklistView,
  BiometricsDetected: biometricsDetected.shape.data,
  BlacklistEntry: blacklistEntry,
  BlacklistMatch: blacklistMatch,
  BlacklistProgress: blacklistProgress,
  BlacklistReceipt: blacklistReceipt,
  DuplicateGroup: groupView,
  DuplicateGroupDetail: groupDetailView,
  DuplicateRun: runView,
  EnrolmentProgress: enrolmentProgress,
  EnrolmentReceipt: enrolmentReceipt,
  ErrorCode: errorDetails.code,
  ErrorProblems: errorDetails.problems,
  Face: personFaceView,
  FaceComparisonResult: faceCompareResponse.shape.result,
  FinalizeVerification: finalizeVerificationRequest,
  FaceComparison: faceCompareRequest,
  GroupDecided: groupDecided,
  GroupDecision: groupDecisionRequest,
  IncompleteReason: incompleteReason,
  NewVerification: createVerificationRequest,
  Verification: createdVerification.shape.verification,
  VerificationTemplate: createdVerification.shape.template,
  PageCursor: cursorMeta,
  PageLinks: pageLinks,
  Person: personView,
  PersonMatch: personMatch,
  PhotoFailure: failureCode,
  PersonsChanged: personsChanged,
  RunStarted: runStarted,
  ScreeningFacts: screeningFacts,
  SignatureMatchResult: signatureMatchResponse.shape.result,
  SignatureSetResult: signatureSetResponse.shape.result,
  ...SIGNATURE_SET_PARTS,
  SupportStrength: supportStrength,
  Timestamp: timestamp,
  ValidationSummary: validationSummary,
  ValidationDetail: validationDetail,
  ValidationEvent: historyEntry,
};

/** Gives the schemas their names, so that the description of each route refers to them. */
export function nameSchemas(): void {
  for (const [id, schema] of Object.entries(NAMED_SCHEMAS))
    if (schema.meta()?.id !== id) z.globalRegistry.add(schema, { ...schema.meta(), id });
}

/** The schemas that a document refers to, directly or through one of them. */
export function schemasUsed(
  document: object,
  schemas: Readonly<Record<string, object>>,
): Record<string, object> {
  const used: Record<string, object> = {};
  const parts = [document];
  for (const part of parts)
    for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const schema = schemas[name];
      if (schema === undefined || name in used) continue;
      used[name] = schema;
      parts.push(schema);
    }
  return used;
}

/** Headers and parameters that the operations refer to. */
export const COMPONENTS = {
  headers: {
    'X-Request-Id': header(
      'Identifies this answer; the log of the service has the same id.',
      { type: 'string', format: 'uuid' },
      true,
    ),
    'X-Correlation-Id': header('The X-Request-Id that the caller sent, where that is a UUID.', {
      type: 'string',
      format: 'uuid',
    }),
    'X-RateLimit-Limit': header('Requests that the credential may make in a minute.', { type: 'integer' }),
    'X-RateLimit-Remaining': header('Requests that remain in this minute.', { type: 'integer' }),
    'Retry-After': header('Seconds after which to try again.', { type: 'integer' }, true),
    'WWW-Authenticate': header('Always `Bearer`.', { type: 'string' }, true),
  },
  parameters: {
    'Idempotency-Key': {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Makes a repetition safe. The same key and content within 24 hours has one effect: an upload gets its first ' +
        'answer again, a change of groups or persons their present state. The same key with other content, or on ' +
        'another route, is 422; while the first upload is still being received it is 409.',
      schema: { type: 'string' as const, pattern: IDEMPOTENCY_KEY.source },
    },
    'X-Request-Id': {
      name: 'X-Request-Id',
      in: 'header',
      description:
        "The caller's own id of the request. A UUID is logged and sent back as X-Correlation-Id; other text is ignored.",
      schema: { type: 'string' as const, format: 'uuid' },
    },
  },
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body is not what Content-Type announces.',
  401: 'The credential is missing, unknown, expired or revoked, or its signature is wrong. One text for every cause.',
  403: 'The credential lacks the scope of this route, or a page of another origin sent the request.',
  404: 'No such thing in the company of the credential.',
  408: 'The body did not arrive in time.',
  409: 'What the request is about has changed, or an upload with the same Idempotency-Key is still being received.',
  413: 'The body is larger than any request that this route could accept. The message states the limit.',
  415: 'The body is of a type that this route does not take, or it is compressed.',
  421: 'Host does not name this service.',
  422: 'A field breaks a rule (`errors` names every field that does), or a precondition is not met (no `errors`).',
  429: 'The credential has used up the requests of this minute, or too many unproven callers send bodies.',
  431: 'The headers are larger than 16 kB.',
  500: 'A fault of the service. A retry would meet it again; the log has the details under X-Request-Id.',
  503:
    'Temporarily unavailable: the queue is paused or full, or the storage cannot be reached. Nothing was kept; a retry is safe. ' +
    'With the code OUTCOME_UNKNOWN, the service could not finish in time, and a change may have been made.',
};

/** The description that the framework gives to an answer whose schema has none. */
const UNDESCRIBED = 'Default Response';
/** Answers that every operation can give. */
const ALWAYS = [403, 421, 431, 500, 503];
/** Answers before the credential is proven carry no rate limit. */
const UNPROVEN = new Set([401, 421, 431]);

/**
 * Completes an operation that was described from the schemas of its route.
 * @param path as the description spells it
 * @param access the configuration of its route
 * @param shared refusals by name, which several operations refer to; it gains those of this operation
 */
export function completeOperation(
  path: string,
  operation: Operation,
  access: Access,
  shared: Record<string, object>,
): void {
  const open = access.access === undefined || access.access === 'public';
  const limit = open ? (access.countsAddress === true ? 'address' : 'none') : 'credential';
  const takesBody = operation.requestBody !== undefined;
  const example = EXAMPLES[operation.operationId ?? ''];
  for (const parameter of operation.parameters ?? [])
    // Absent, it is false.
    if ('required' in parameter && parameter.required === false) delete parameter.required;
  operation.parameters = [
    ...(operation.parameters ?? []),
    ...(access.imageForm === true || access.takesKey === true
      ? [reference('parameters', 'Idempotency-Key')]
      : []),
    reference('parameters', 'X-Request-Id'),
  ];
  // As JSON: a form of the same fields has another notation.
  const { content: bodies = {} }: { content?: Record<string, Media> } = operation.requestBody ?? {};
  if (bodies[JSON_TYPE] !== undefined && example?.request !== undefined)
    bodies[JSON_TYPE] = { ...bodies[JSON_TYPE], example: example.request };

  const own = Object.keys(operation.responses).map(Number);
  const refusals = new Set([
    ...own.filter((status) => status >= 400),
    ...ALWAYS,
    ...(open ? [] : [401]),
    ...(limit === 'none' ? [] : [429]),
    ...(takesBody ? [400, 408, 413, 415, 422] : []),
    ...(access.takesKey === true ? [422] : []),
  ]);
  for (const status of own.filter((each) => each < 400)) {
    const response = operation.responses[status];
    if (response === undefined) continue;
    Object.assign(response, { headers: headersOf(status, limit) });
    const { content = {} }: { content?: Record<string, Media> } = response;
    for (const media of Object.values(content)) {
      // The description of the response is that of its schema.
      delete media.schema.description;
      if (example !== undefined) media.example = example.response;
    }
  }
  for (const status of refusals) {
    // Malformed headers give no path, so the error has the form of v3.
    const v1 = path.startsWith('/api/v1/') && status !== 431;
    const schema = reference('schemas', v1 ? V1_ERROR : V3_ERROR);
    const described: { description?: string } | undefined = operation.responses[status];
    const headers = headersOf(status, limit);
    // A route that answers a refusal of its own says so.
    if (described !== undefined && described.description !== UNDESCRIBED) {
      operation.responses[status] = { ...described, headers };
      continue;
    }
    const name = `${status}-${v1 ? 'v1' : 'v3'}-${limit}`;
    shared[name] ??= {
      description: REFUSALS[status] ?? '',
      content: { [JSON_TYPE]: { schema } },
      headers,
    };
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/**
 * Moves the answers, responses and parameters that several operations have to components, which it adds to.
 * @param shared schemas of answers by the name of their data, responses by `operationId-status` of the first operation,
 *   parameters by their name
 */
export function shareParts(
  operations: readonly Operation[],
  shared: Record<'schemas' | 'responses' | 'parameters', Record<string, object>>,
): void {
  const answers = operations
    .flatMap(({ responses }) => Object.values<{ content?: Record<string, Media> }>(responses))
    .flatMap(({ content = {} }) => Object.values(content));
  for (const { schema } of answers) {
    const alike = answers.filter((each) => isDeepStrictEqual(each.schema, schema));
    const data = /\w+$/.exec(schema.properties?.data?.$ref ?? '')?.[0];
    if (data === undefined || alike.length === 1) continue;
    const name = `${data}Answer`;
    shared.schemas[name] = schema;
    for (const each of alike) each.schema = reference('schemas', name);
  }
  for (const { operationId = '', responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      const alike = operations.filter((each) => isDeepStrictEqual(each.responses[status], response));
      if ('$ref' in response || alike.length === 1) continue;
      const name = `${operationId}-${status}`;
      shared.responses[name] = response;
      for (const each of alike) each.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  const all = operations.flatMap(({ parameters = [] }) => parameters);
  for (const operation of operations)
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      const name = 'name' in parameter ? String(parameter.name) : '';
      if (name === '' || all.filter((each) => isDeepStrictEqual(each, parameter)).length === 1)
        return parameter;
      const taken = shared.parameters[name];
      if (taken !== undefined && !isDeepStrictEqual(taken, parameter)) return parameter;
      shared.parameters[name] = parameter;
      return { $ref: `#/components/parameters/${name}` };
    });
}

function headersOf(status: number, limit: 'none' | 'address' | 'credential'): Record<string, object> {
  const names = ['X-Request-Id'];
  if (status !== 431) names.push('X-Correlation-Id');
  const counted = limit === 'credential' ? !UNPROVEN.has(status) : status < 400 || status === 429;
  if (limit !== 'none' && counted) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

function reference(kind: keyof typeof COMPONENTS | 'schemas', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

interface PlainSchema {
  type: 'string' | 'integer';
  format?: 'uuid';
  pattern?: string;
}

function header(description: string, schema: PlainSchema, required = false) {
  return { description, ...(required && { required }), schema };
}
