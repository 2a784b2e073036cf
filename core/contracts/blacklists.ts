/** Internal blacklists: their fields and rules. */
import { z } from 'zod';
import { BLACKLIST_STATUS } from './codes.ts';
import { pageLinks, timestamp } from './uploads.ts';
import { displayName } from './displayName.ts';

/** Lengths count Unicode code points, as a person counts characters. */
const atMost = (limit: number) => (text: string) => Array.from(text).length <= limit;

/** One spelling for what looks the same. */
const asTyped = (text: string) => displayName(text).normalize('NFC');
/** Something that a person can see: a name of joiners and blanks alone is none. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

export const BLACKLIST_NAME_LIMIT = 100;
export const BLACKLIST_DESCRIPTION_LIMIT = 255;

const blacklistWords = z.object({
  name: z
    .string()
    .transform(asTyped)
    .refine((name) => VISIBLE.test(name), 'The name field is required.')
    .refine(
      atMost(BLACKLIST_NAME_LIMIT),
      `The name must not be greater than ${BLACKLIST_NAME_LIMIT} characters.`,
    ),
  description: z
    .string()
    .transform(asTyped)
    .refine(
      atMost(BLACKLIST_DESCRIPTION_LIMIT),
      `The description must not be greater than ${BLACKLIST_DESCRIPTION_LIMIT} characters.`,
    )
    .nullable(),
});
export type BlacklistFields = z.output<typeof blacklistWords>;

/** Of a new list. */
export const blacklistFields = blacklistWords.extend({
  description: blacklistWords.shape.description.default(null),
});
/** A change of a list: fields that are absent keep their value. */
export const blacklistEdit = blacklistWords.partial();
export type BlacklistEdit = z.output<typeof blacklistEdit>;

export const blacklistView = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  status: z.number().int().describe('1 Active, 0 Inactive'),
  statusLabel: z.string(),
  enrolledFacesCount: z.number().int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** Page numbers in the hosted service's manner. */
export const blacklistQuery = z.object({
  page: z.coerce.number().int({ abort: true }).min(1).max(1_000_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(50),
  status: z.preprocess(Number, z.literal(Object.values(BLACKLIST_STATUS))).optional(),
});

export const blacklistPage = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.array(blacklistView),
  links: pageLinks,
  meta: z.object({
    current_page: z.number().int(),
    from: z.number().int().nullable(),
    last_page: z.number().int(),
    path: z.string(),
    per_page: z.number().int(),
    to: z.number().int().nullable(),
    total: z.number().int(),
  }),
});
