/** The messages of successful answers. Clients may compare them: do not reword. */
export const MESSAGES = {
  uploadAccepted: 'Face upload accepted and queued for duplicate detection enrollment',
  blacklistUploadAccepted: 'Face upload accepted and queued for blacklist enrollment',
  blacklists: 'Blacklists retrieved',
  trustValidations: 'Trust Validations retrieved',
  trustValidation: 'Trust Validation retrieved',
  verificationCreated: 'Verification created successfully',
  verificationFinalized: 'Verification finalized successfully',
  biometricsVerified: 'Biometrics verification processed successfully',
  accountExists: 'Account already exists',
  biometricsRegistered: 'Biometrics registration processed successfully',
  biometricsDetected: 'Biometrics detection processed successfully',
  uploadProgress: 'Face upload progress retrieved',
} as const;
