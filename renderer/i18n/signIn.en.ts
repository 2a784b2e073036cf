/** Texts of sign-in, the lock screen and the set-up. */
export const signIn = {
  title: 'Sign in',
  operator: 'Username',
  passphrase: 'Passphrase',
  forgot: 'Forgot your passphrase?',
  wrong: 'Incorrect username or passphrase.',
  tooMany: 'Too many attempts. Try again in a minute.',
  local: 'Vouch sends no data to the internet.',
} as const;

export const lock = {
  title: 'Locked',
  body: 'Faces are hidden while the screen is locked.',
  unlock: 'Unlock',
  wrong: 'Incorrect passphrase.',
} as const;

export const setup = {
  title: 'Set up Vouch',
  steps: 'Step {{step}} of 3',
  companyHint: 'All data belongs to one company. Other companies of this installation cannot see it.',
  folder: 'Folder for encrypted images',
  folderHint: 'An absolute path on this machine with enough space for all enrolled images.',
  free: 'Writable, {{free}} free.',
  features: 'Features',
  registration: 'Biometrics Registration',
  registrationHint: 'Enrol faces in bulk. New verifications are compared with them.',
  blacklists: 'Internal Blacklists',
  blacklistsHint: 'Keep private lists of faces, and screen verifications against them.',
  operatorHint: 'The first user is an administrator.',
  repeat: 'Confirm passphrase',
  differs: 'The passphrases do not match.',
  finish: 'Finish setup',
  stepCompany: 'Company and storage',
  stepFeatures: 'Features',
  stepOperator: 'Administrator account',
  recoveryTitle: 'Sign-in recovery code',
  recovery:
    'This code gives you access if a passphrase is lost. It is shown only now: print or save it, and keep it away from this machine. It does not open backups.',
  enter: 'Go to dashboard',
} as const;

/** A new passphrase, wherever it is typed. */
export const passphrase = {
  new: 'New passphrase',
  toggle: 'Show or hide the typed text',
  current: 'Current passphrase',
  change: 'Change passphrase',
  changed: 'Your passphrase is changed.',
  others: 'Your sessions in other browsers end.',
  wrong: 'The current passphrase is incorrect.',
  hint: 'Four unrelated words work well.',
  rejected: 'The passphrase does not meet the rules below.',
  met: 'Met:',
  unmet: 'Not met:',
  PASSPHRASE_TOO_SHORT: 'At least {{least}} characters',
  PASSPHRASE_IS_NAME: 'More than a name',
  PASSPHRASE_GUESSED: 'No repetition or keyboard pattern',
  weak: 'Strength: too weak',
  good: 'Strength: good',
  strong: 'Strength: strong',
} as const;

/** Signing in with the recovery code. */
export const recovery = {
  title: 'Reset your passphrase',
  help: 'Type the sign-in recovery code that was printed or saved at the set-up. Each code works once, and a newer code replaces the earlier ones.',
  operatorHint: 'This account becomes an active administrator. An unknown username creates a new account.',
  wrong:
    'The recovery code is incorrect, or it was used or replaced. Check the code and the date on the sheet.',
  submit: 'Set new passphrase',
  back: 'Back to sign-in',
  without: 'Without a code, another administrator can reset your passphrase under Operators.',
  nextTitle: 'New recovery code',
  next: 'The passphrase is changed. This recovery code replaces the one you used. It is shown only now: print or save it, and keep it away from this machine.',
  sheet: 'Created {{time}}. Use it at the sign-in page under “Forgot your passphrase?”.',
} as const;
