/** The Content-Security-Policy of the dashboard: nothing inline, and nothing from another origin. */
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

/** Abilities of a browser that pages could ask for. All are denied; the dashboard's own page has the camera. */
const DENIED = [
  'camera',
  'microphone',
  'geolocation',
  'display-capture',
  'usb',
  'serial',
  'hid',
  'bluetooth',
  'midi',
  'payment',
  'accelerometer',
  'gyroscope',
  'magnetometer',
  'screen-wake-lock',
] as const;

/** The value of `Permissions-Policy` on every answer but the dashboard's page. */
export const NO_PERMISSIONS = DENIED.map((ability) => `${ability}=()`).join(', ');
/** The same on the dashboard's page: its own frames alone, which excludes the manual by its own header, have the camera. */
export const PAGE_PERMISSIONS = NO_PERMISSIONS.replace('camera=()', 'camera=(self)');

const policy = (directives: Readonly<Record<string, string>>) =>
  Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** The value of `Content-Security-Policy` on every page of the dashboard. */
export const PAGE_POLICY = policy(DIRECTIVES);
/** The same on every page of the manual. */
export const MANUAL_POLICY = policy(MANUAL_DIRECTIVES);
