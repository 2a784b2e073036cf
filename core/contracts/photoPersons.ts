/** The persons whom photos show, as their sender names them at enrolment. */
import { z } from 'zod';
import { PERSON_LIMITS } from './dashboard/persons.ts';
import { displayName } from './displayName.ts';

/** Text of one line; blank counts as absent. */
const text = (most: number) =>
  z
    .string()
    .overwrite(displayName)
    .max(most)
    .nullish()
    .transform((value) => (value === undefined || value === '' ? null : value));

/** At least one of the two. A photo with a known external ID joins that person, whose name stays. */
export const photoPerson = z
  .object({ name: text(PERSON_LIMITS.name), externalId: text(PERSON_LIMITS.externalId) })
  .refine(({ name, externalId }) => name !== null || externalId !== null);
export type PhotoPerson = z.infer<typeof photoPerson>;

/** One entry for each photo of an upload, in their order; null: the photo is enrolled without a person. */
export const photoPersons = z.array(photoPerson.nullable()).max(1000);

/** Bytes that the entry of one photo can have as JSON: every character escaped, with keys and quotation marks. */
export const MAX_PHOTO_PERSON_BYTES = 12 * (PERSON_LIMITS.name + PERSON_LIMITS.externalId) + 100;
