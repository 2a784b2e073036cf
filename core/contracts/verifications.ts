/**
 * The hosted service's neighbouring routes: v1 speaks snake_case, v3 camelCase. The id of a verification
 * is a string on these wires, as the hosted service has it; so are the ids that callers send back.
 */
import { errorDetails } from './errors/body.ts';
import { z } from 'zod';
import { timestamp } from './uploads.ts';
import { personMatch } from './validations.ts';
import { displayName } from './displayName.ts';

/** Longest text of a field that is not an image. */
export const LONGEST_FIELD = 255;
/** Limits of `metadata`: it is kept and shown, never looked into. */
const METADATA = { characters: 16 * 1024, depth: 16 } as const;

/** The tool of a Trust Flow that takes the selfie, by its name on the wire: with and without enrolment at once. */
export const PLANS = ['biometrics_verification', 'biometrics_registration'] as const;
export type Plan = (typeof PLANS)[number];

/** An id as callers send it: text or number. What cannot be one of ours is an id that nothing has. */
function idField(key: string) {
  const required = `The ${key} field is required.`;
  return z
    .union([z.number().int(), z.string().trim().min(1, required).max(LONGEST_FIELD)], {
      error: (issue) => (issue.input == null ? required : `The ${key} must be a string or an integer.`),
    })
    .transform((id) => (/^\d{1,15}$/.test(String(id)) ? Number(id) : null));
}

/** A caller's own reference: text or a number, kept as text and looked up nowhere. */
export function textReference(key: string) {
  const required = `The ${key} field is required.`;
  return z
    .union([z.number().int(), z.string().trim().min(1, required).max(LONGEST_FIELD)], {
      error: (issue) => (issue.input == null ? required : `The ${key} must be a string or an integer.`),
    })
    .transform((text) => String(text).toWellFormed());
}

export function imageField(key: string) {
  return z
    .union([z.string(), z.instanceof(Uint8Array)], {
      error: (issue) =>
        issue.input == null ? `The ${key} field is required.` : `The ${key} must be a string.`,
    })
    .meta({ type: 'string' })
    .describe('data:<media type>;base64,<data>; in a multipart form also a file');
}

const metadata = z
  .unknown()
  .refine((value) => depthOf(value) <= METADATA.depth, 'The metadata is nested too deeply.')
  .refine(
    (value) => depthOf(value) > METADATA.depth || JSON.stringify({ value }).length <= METADATA.characters,
    `The metadata must not be greater than ${METADATA.characters} characters.`,
  )
  .optional()
  .describe('kept with the verification and shown with it');

/** Counts level by level, so that no depth can overflow the stack. */
function depthOf(value: unknown): number {
  let depth = 0;
  for (let level = [value]; level.length > 0 && depth <= METADATA.depth; depth += 1)
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : [],
    );
  return depth;
}

const username = z
  .string()
  .overwrite(displayName)
  .max(LONGEST_FIELD)
  .nullish()
  .describe('shown as the name of the face');

export const createVerificationRequest = z.object({ template_id: idField('template_id'), metadata });
export const biometricsVerificationRequest = z.object({
  image: imageField('image'),
  trust_flow_id: idField('trust_flow_id'),
  trust_validation_id: idField('trust_validation_id'),
});
export const biometricsDetectionRequest = z.object({
  image: imageField('image'),
  username,
  trustFlowId: idField('trustFlowId'),
  trustValidationId: idField('trustValidationId'),
});

/** Field names of the v1 wire, as the hosted service's Flutter client sends them. */
const v1Reference = { template_id: idField('template_id'), verification_id: idField('verification_id') };
export const finalizeVerificationRequest = z.object(v1Reference);
export const biometricsVerificationV1Request = z.object({ image: imageField('image'), ...v1Reference });
export const biometricsRegistrationV1Request = z.object({
  image: imageField('image'),
  username,
  ...v1Reference,
});

const status = z
  .number()
  .int()
  .describe('1 Rejected, 2 Review Needed, 3 Verified, 4 Incomplete, 5 In Progress, 99 created');

const verification = z.object({
  id: z.string(),
  user_id: z.number().int().describe('the credential that asks'),
  company_id: z.number().int(),
  template_id: z.number().int(),
  status,
  verification_date: timestamp,
  verification_data: z.string(),
  verification_started_at: timestamp,
  metadata: z.unknown().describe('what the caller sent with the verification; null: nothing'),
});
export type VerificationView = z.infer<typeof verification>;

export const createdVerification = z.object({
  message: z.string(),
  verification,
  template: z.object({
    id: z.number().int(),
    company_id: z.number().int(),
    name: z.string(),
    plans: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    webhook_url: z.null(),
    redirect_url: z.null(),
  }),
  tool_settings: z.array(z.object({ plan: z.enum(PLANS), config: z.record(z.string(), z.unknown()) })),
  plans: z
    .array(z.object({ plan: z.enum(PLANS) }))
    .describe('the steps of the client in their order, one per tool of the Trust Flow that is on'),
});
export type CreatedVerification = z.infer<typeof createdVerification>;

export const finalizedVerification = z.object({
  message: z.string(),
  verification: verification.extend({
    verification_ended_at: timestamp.nullable(),
    profile_name: z.string(),
    is_processing: z.literal(0),
    is_deleted: z.literal(0),
  }),
  missing_plans: z.array(z.object({})).max(0).describe('always empty: no step of a flow is left out'),
  status,
  status_message: z.string().describe('REJECTED, REVIEW_NEEDED, VERIFIED, INCOMPLETE or IN_PROGRESS'),
  finalized: z.literal(true),
});
export type FinalizedVerification = z.infer<typeof finalizedVerification>;

const onePerson = z
  .boolean()
  .describe('the photo shows this person more than once; the largest usable face was taken');

const outcome = {
  success: z.literal(true),
  message: z.string(),
  verificationStatus: z.string(),
  verificationStatusCode: status,
  trustFlowId: z.number().int(),
  trustValidationId: z.string(),
  verificationType: z.string(),
  metadata: z.unknown().describe('what the caller sent with the verification; null: nothing'),
  onePerson,
};

export const biometricsVerified = z.object({
  ...outcome,
  data: z.object({
    livenessPass: z.null().describe('no liveness is measured'),
    livenessScore: z.null().describe('no liveness is measured'),
  }),
});
export type BiometricsVerified = z.infer<typeof biometricsVerified>;

const record = {
  enrolledAt: timestamp,
  imageType: z.literal(0),
  name: z.string().nullable(),
  recordId: z.number().int().describe('the enrolled face'),
  referenceId: z.string().describe('its Trust Validation'),
};
export const biometricsDetected = z.object({
  ...outcome,
  data: z.object({
    enroll: z.object({
      companyId: z.number().int(),
      ...record,
      status: z.number().int().describe('1 done'),
      watchlistId: z.literal(0),
    }),
    screen: z.object({
      checkedWatchlists: z.array(z.literal(0)),
      imageType: z.literal(0),
      status: z.number().int().describe('1 done'),
      watchlists: z.array(
        z.object({
          watchlistId: z.literal(0).describe('0 is duplicate detection'),
          hasMatches: z.boolean(),
          matches: z.array(z.object({ ...record, similarityScore: z.number(), person: personMatch })),
        }),
      ),
    }),
  }),
});
export type BiometricsDetected = z.infer<typeof biometricsDetected>;

/** Answer of the v1 biometrics routes. The Flutter client takes `status: false` for a failure, with one exception. */
export const biometricsV1 = z.object({
  status: z
    .boolean()
    .describe(
      'false where an enrolled face of the company matches strongly; the message is then "Account already exists"',
    ),
  message: z.string(),
  result: z.object({ status: z.enum(['success', 'exists']), message: z.string() }),
  verification_status: z.string(),
  verification_status_code: status,
  template_id: z.number().int(),
  verification_id: z.string(),
  verification_type: z.enum(PLANS),
  metadata: z.unknown().describe('what the caller sent with the verification; null: nothing'),
  one_person: onePerson,
});
export type BiometricsV1 = z.infer<typeof biometricsV1>;

/** 422 of the v1 biometrics routes: `code` says why, `result` is what the Flutter client reads of a failed step. */
export const biometricsV1Refusal = z.object({
  status: z.literal(false),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  ...errorDetails,
  result: z.object({ status: z.literal('failed'), message: z.string() }),
});

/** Answer of the design settings: the appliance has none for any id, so a caller without a credential learns nothing. */
export const designSettings = z.object({
  templateDesign: z.object({
    id: z.null(),
    template_id: z.null(),
    logo: z.null(),
    settings: z.null(),
    is_active: z.null(),
    file_name: z.null(),
    created_at: z.null(),
    updated_at: z.null(),
  }),
});

/**
 * The name of a verification whose client sent none.
 * @param id number of the Trust Validation
 */
export function verificationName(id: number): string {
  return `Verification ${id}`;
}
