/** Texts of sign-in, the lock screen and the set-up. */
export const signIn = {
  title: 'Sign in',
  operator: 'Username',
  passphrase: 'Passphrase',
  submit: 'Sign in',
  wrong: 'Incorrect username or passphrase.',
  tooMany: 'Too many attempts. Try again in a minute.',
  local: 'All data stays on this machine.',
} as const;

export const lock = {
  title: 'Locked',
  body: 'Faces are hidden while the screen is locked.',
  unlock: 'Unlock',
} as const;

export const setup = {
  title: 'Set up Vouch',
  steps: 'Step {{step}} of 3',
  company: 'Company',
  companyHint: 'All data belongs to one company. Other companies on this system cannot see it.',
  folder: 'Folder for encrypted images',
  folderHint: 'An absolute path on this machine with enough space for all enrolled images.',
  check: 'Check folder',
  free: 'Writable, {{free}} free.',
  features: 'Features',
  registration: 'Biometrics Registration',
  registrationHint: 'Enrol faces in bulk. New verifications are compared with them.',
  blacklists: 'Internal Blacklists',
  blacklistsHint: 'Keep private lists of faces, and screen verifications against them.',
  operator: 'Username',
  operatorHint: 'The first user is an administrator.',
  passphrase: 'Passphrase',
  passphraseHint: 'At least {{least}} characters. Four unrelated words work well.',
  repeat: 'Confirm passphrase',
  differs: 'The passphrases do not match.',
  next: 'Next',
  back: 'Back',
  finish: 'Finish setup',
  stepCompany: 'Company and storage',
  stepFeatures: 'Features',
  stepOperator: 'Administrator account',
  recoveryTitle: 'Sign-in recovery code',
  recovery:
    'This code gives you access if a passphrase is lost. It is shown only now: print it and keep it away from this machine. It does not open backups.',
  enter: 'Go to dashboard',
} as const;
