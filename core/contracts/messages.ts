/** The fixed texts of the v3 interface (service.md 7, contract §1). Callers may compare them: do not reword. */
export const MESSAGES = {
  uploadAccepted: 'Face upload accepted and queued for duplicate detection enrollment',
  blacklistUploadAccepted: 'Face upload accepted and queued for blacklist enrollment',
  validationError: 'Validation error',
  storageNotConfigured: 'Company storage is not configured',
  registrationDisabled: 'Biometrics Registration is not enabled for this company',
  blacklistsDisabled: 'Blacklists are not enabled for this company',
  blacklistInactive: 'Blacklist is inactive and accepts no new faces',
  queueUnavailable: 'Enrollment queue is unavailable. Please retry shortly.',
  unauthenticated: 'Unauthenticated.',
  unauthorized: 'This action is unauthorized.',
  reauthenticate: 'Please enter your passphrase again.',
  notFound: 'Not found.',
  methodNotAllowed: 'Method not allowed.',
  unsupportedMediaType: 'Unsupported media type.',
  unsupportedEncoding: 'Unsupported media type. Send the body without a Content-Encoding.',
  payloadTooLarge: 'Request body is too large.',
  requestTimeout: 'The request took too long to arrive.',
  tooManyAttempts: 'Too Many Attempts.',
  stillWaiting: 'The photo has no answer yet. It can be taken back as soon as it is enrolled.',
  decidedMeanwhile:
    'Somebody else has decided this validation in the meantime. What they decided is shown now.',
  auditContradicted:
    'The audit log contradicts an earlier anchor, so no anchor was added. Verify the log; the result names the entry.',
  imageDamaged:
    'The stored image is damaged or was changed, so it is not shown. An administrator can restore it from a backup.',
  planChanged: 'What would go is not what was shown any more. Look at it again.',
  misdirected: 'Misdirected request.',
  headersTooLarge: 'Request headers are too large. They must not be greater than 16 kilobytes.',
  blacklists: 'Blacklists retrieved',
  trustValidations: 'Trust Validations retrieved',
  trustValidation: 'Trust Validation retrieved',
  verificationCreated: 'Verification created successfully',
  verificationFinalized: 'Verification finalized successfully',
  verificationClosed: 'Verification has been finalized and takes no more images',
  biometricsVerified: 'Biometrics verification processed successfully',
  accountExists: 'Account already exists',
  biometricsRegistered: 'Biometrics registration processed successfully',
  biometricsDetected: 'Biometrics detection processed successfully',
  noPipelineChange: 'No change to another pipeline is under way: it has ended, or somebody cancelled it.',
  uploadProgress: 'Face upload progress retrieved',
  badRequest: 'The request could not be understood.',
  notJson: 'The request could not be understood. The body must be a JSON object in UTF-8.',
  notAForm:
    'The request could not be understood. The body must be a whole multipart form, with the boundary that Content-Type names.',
  unexpected:
    'An unexpected error occurred. Give the administrator the X-Request-Id of this answer: the log has the details.',
  idempotencyKeyInvalid: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  idempotencyKeyReused: 'Idempotency-Key was already used for a different upload.',
  idempotencyKeyRunning: 'An upload with this Idempotency-Key is still being received.',
} as const;

/** Messages that name the key and the limit they are about, in the hosted service's (Laravel's) manner. */
export const imageMessages = {
  required: 'The images field is required.',
  tooMany: (limit: number) => `The images field must not have more than ${limit} items.`,
  wrongType: (key: string) => `The ${key} must be a file of type: jpg, jpeg, png.`,
  tooLarge: (key: string, bytes: number) =>
    `The ${key} must not be greater than ${Math.floor(bytes / 1024)} kilobytes.`,
  empty: (key: string) => `The ${key} must not be empty.`,
  nameTooLong: (key: string, most: number) =>
    `The ${key} must not have a file name of more than ${most} characters. Rename the file and send it again.`,
  gone: (key: string) => `The ${key} is not there any more, or cannot be read.`,
  notADataUri: (key: string) => `The ${key} must be a data URI of the form data:<media_type>;base64,<data>.`,
  notBase64: (key: string) => `The ${key} must hold valid base64 data.`,
  notAFile: (key: string) => `The ${key} must be a file.`,
  unnamedField: 'A part of the form has no name. Send files as images[] or images[0], images[1] and so on.',
  unknownField: (key: string) =>
    `The ${key} field is not accepted. Send files as images[] or images[0], images[1] and so on.`,
} as const;

/** 413, with the limit that was passed. */
export const tooLargeMessages = {
  body: (bytes: number) =>
    `${MESSAGES.payloadTooLarge} It must not be greater than ${Math.floor(bytes / 1024)} kilobytes.`,
  fields: (most: number) => `${MESSAGES.payloadTooLarge} A form must not have more than ${most} fields.`,
} as const;

/** What is wrong with a field of the dashboard's forms, where one sentence says it. */
export const FIELD_MESSAGES = {
  nameTaken: 'The name has already been taken.',
  lastAdmin: 'The company needs an active admin: make another one first.',
  companyExists:
    'This company exists already. Its first operator is made at the terminal: vouch operator create.',
  passphraseIsName: 'The passphrase must be more than a name.',
  passphraseGuessed: 'The passphrase is too easily guessed: it repeats itself or follows the keyboard.',
  blacklistNotActive: 'The selected blacklist is not an active one of the company.',
  alreadyExpired: 'It would have expired already: choose a later time.',
} as const;
