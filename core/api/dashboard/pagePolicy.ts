/** What the dashboard's pages may do: nothing inline, nothing from anywhere but this origin. */
const DIRECTIVES = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  // blob: a photo that was chosen but not sent; data: a searched face, which is kept nowhere.
  'img-src': "'self' blob: data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

/** The value of `Content-Security-Policy` on every page of the dashboard. */
export const PAGE_POLICY = Object.entries(DIRECTIVES)
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join('; ');
