/** What the dashboard's pages may do: nothing inline, nothing from anywhere but this origin. */
const DIRECTIVES = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  // blob: a photo that was chosen but not sent; data: a searched face, which is kept nowhere.
  'img-src': "'self' blob: data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  // The manual. All other pages forbid to be framed.
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

/** Pages of the manual have text, one style sheet and pictures; only the dashboard may frame them. */
const MANUAL_DIRECTIVES = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
} as const;

const policy = (directives: Readonly<Record<string, string>>) =>
  Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** The value of `Content-Security-Policy` on every page of the dashboard. */
export const PAGE_POLICY = policy(DIRECTIVES);
/** The same on every page of the manual. */
export const MANUAL_POLICY = policy(MANUAL_DIRECTIVES);
