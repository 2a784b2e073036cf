/** All failing keys of a body at once: the fields that break a rule, and the images whose content does. */
import type { FastifyRequest } from 'fastify';
import { invalidFields, toApiError, type FieldErrors } from './errors.ts';

/** A body that no schema has accepted. */
export type UncheckedBody = Readonly<Record<string, unknown>>;

/**
 * Refuses a body that breaks a rule of its schema. The first statement of a route with `attachValidation`.
 * @param problemsOf the images of the body at fault
 * @throws {ApiError} 422 on every field and image at fault
 */
export function refuseInvalidBody(
  request: FastifyRequest,
  problemsOf: (sent: UncheckedBody) => FieldErrors,
): void {
  if (request.validationError === undefined) return;
  const refusal = toApiError(request.validationError);
  const { body } = request as { body: unknown };
  if (refusal?.errors === undefined || typeof body !== 'object' || body === null)
    throw refusal ?? request.validationError;
  throw invalidFields(new Map([...problemsOf(body as UncheckedBody), ...refusal.errors]));
}
