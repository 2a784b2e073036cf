import { CRYPTO } from './crypto.ts';
import { readCertificate } from './readCertificate.ts';
import { TIMER } from './timer.ts';

/** The ports that depend on the platform alone. */
export const PLATFORM = { crypto: CRYPTO, timer: TIMER, readCertificate };
