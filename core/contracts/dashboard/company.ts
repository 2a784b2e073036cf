/** The company itself in the dashboard: its features and where its images are stored. */
import { z } from 'zod';

/** What a company can use: bulk enrolment, and internal blacklists with their screening. */
export const companyFeatures = z.object({ registration: z.boolean(), blacklists: z.boolean() });

/** `GET /company`, and the answer of `PATCH /company`. */
export const companyProfile = z.object({
  name: z.string(),
  createdAt: z.iso.datetime(),
  features: companyFeatures,
  /** Null: storage is not configured. */
  storageFolder: z.string().nullable(),
});
export type CompanyProfile = z.infer<typeof companyProfile>;

/** `PATCH /company`: only the features that change. */
export const companyPatch = z.object({ features: companyFeatures.partial() });
export type CompanyPatch = z.infer<typeof companyPatch>;
