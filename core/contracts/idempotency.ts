/** The Idempotency-Key of a request: visible ASCII, as HTTP allows it in a header without quoting. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
