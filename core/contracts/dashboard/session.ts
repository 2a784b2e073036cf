/** The signed-in operator of the dashboard, and the set-up of the first operator. */
import { problemShape } from '../errors/problemShape.ts';
import { z } from 'zod';
import { namesOf } from '../namesOf.ts';
import { companyFeatures } from './company.ts';
import { PERMISSIONS } from './permissions.ts';
import { alertChoice, DEFAULT_ALERTS } from './validations.ts';
import { DEFAULT_LISTS, listChoice } from './lists.ts';
import { problem, type Problem } from '../errors/problem.ts';
import { get, poll, post, put, remove } from './operation.ts';

export const OPERATOR_ROLES = ['admin', 'operator', 'reviewer', 'investigator', 'auditor'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The cookie of a session; its value opens the dashboard, and is kept from scripts. */
export const SESSION_COOKIE = 'vouch_session';

export const session = z.object({
  operator: z.object({ id: z.number().int(), name: z.string(), role: z.enum(OPERATOR_ROLES) }),
  company: z.object({
    id: z.number().int(),
    name: z.string(),
    features: companyFeatures,
    storageConfigured: z.boolean().default(true),
    /** Signature specimens of persons may be stored. */
    signatureSpecimens: z.boolean().default(false),
  }),
  /** The permissions of the role; a screen shows no action that would be refused. */
  permissions: z.array(z.enum(namesOf(PERMISSIONS))).default([]),
});
export type Session = z.infer<typeof session>;

export const signIn = z.object({
  operator: z.string().trim().min(1).max(100),
  passphrase: z.string().min(1).max(1024),
});

/** `POST /session/confirm`: the same operator gives the passphrase again. 204. */
export const confirmation = z.object({ passphrase: z.string().min(1).max(1024) });

/** Answered without a session: true only as long as the installation has no operator at all. */
export const setupState = z.object({
  needed: z.boolean(),
  suggestedStorageFolder: z.string().nullable(),
});
export type SetupState = z.infer<typeof setupState>;

/** Whether a folder can hold the company's encrypted images; `problem` says why not. */
export const storageCheck = z.object({
  writable: z.boolean(),
  freeBytes: z.number().nullable(),
  problem: problemShape.nullable(),
});
export type StorageCheck = z.infer<typeof storageCheck>;

export const MIN_PASSPHRASE = 12;

export const setupRequest = z.object({
  company: z.string().trim().min(1).max(100),
  storageFolder: z.string().trim().min(1).max(1000),
  operator: z.string().trim().min(1).max(100),
  passphrase: z.string().min(MIN_PASSPHRASE).max(1024),
  features: companyFeatures,
});
export type SetupRequest = z.infer<typeof setupRequest>;

/** Shown this once, to be printed and kept away from the machine: it opens the way back when a passphrase is lost. */
export const recoveryCodeAnswer = z.object({ recoveryCode: z.string() });

/** `POST /session/recover`: a new passphrase for the holder of the recovery code; answers a new recovery code. */
export const recovery = z.object({
  operator: z.string().trim().min(1).max(100),
  recoveryCode: z.string().min(1).max(100),
  passphrase: z.string().min(MIN_PASSPHRASE).max(1024),
});

/** `POST /session/passphrase`: 204, and every session of the operator but this one's successor has ended. */
export const passphraseChange = z.object({
  current: z.string().min(1).max(1024),
  passphrase: z.string().min(MIN_PASSPHRASE).max(1024),
});

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const;
export type Language = keyof typeof LANGUAGES;

/** How an operator wants the dashboard to look; it is the same in every browser. */
export const appearance = z.object({
  language: z.enum(namesOf(LANGUAGES)),
  scheme: z.enum(['light', 'dark', 'auto']),
  highContrast: z.boolean(),
  alerts: alertChoice.default(DEFAULT_ALERTS),
  lists: listChoice.default(DEFAULT_LISTS),
});
export type Appearance = z.infer<typeof appearance>;
/** `GET /session/appearance`; null: never chosen. */
export const chosenAppearance = z.object({ appearance: appearance.nullable() });

/** Runs of these, in either direction, count as one character of a passphrase. */
const RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const LEAST_VARIETY = 6;

/**
 * Checks a new passphrase, in the service and in the form that asks for it. Length counts most (NIST SP 800-63B asks for
 * no mixture of character classes). Names, repetitions and keyboard runs are rejected because attackers try them first.
 * @param names of the operator and the company
 * @returns the problems of the passphrase; empty when it is accepted
 */
export function passphraseProblems(passphrase: string, names: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const text = passphrase.normalize('NFKC').toLowerCase();
  if (Array.from(text).length < MIN_PASSPHRASE)
    problems.push(problem('PASSPHRASE_TOO_SHORT', { least: MIN_PASSPHRASE }));
  const bare = names.reduce((rest, name) => rest.replaceAll(name.normalize('NFKC').toLowerCase(), ''), text);
  if (Array.from(bare).length < Math.min(MIN_PASSPHRASE, Array.from(text).length) / 2)
    problems.push(problem('PASSPHRASE_IS_NAME'));
  if (variety(text) < LEAST_VARIETY) problems.push(problem('PASSPHRASE_GUESSED'));
  return problems;
}

/** Counts the different characters that do not continue a run. */
function variety(text: string): number {
  const characters = Array.from(text);
  const seen = new Set<string>();
  for (const [index, character] of characters.entries()) {
    const pair = (characters[index - 1] ?? '') + character;
    const follows =
      pair.length === 2 &&
      RUNS.some((run) => run.includes(pair) || run.includes(Array.from(pair).reverse().join('')));
    if (!follows) seen.add(character);
  }
  return seen.size;
}

/** The dashboard's operations. */
export const sessionApi = {
  read: poll('/session', 'session', { answer: session }),
  open: post('/session', 'none', { body: signIn }),
  close: remove('/session', 'session'),
  confirm: post('/session/confirm', 'session', { body: confirmation }),
  changePassphrase: post('/session/passphrase', 'session', { body: passphraseChange }),
  recover: post('/session/recover', 'none', { body: recovery, answer: recoveryCodeAnswer }),
  appearance: poll('/session/appearance', 'session', { answer: chosenAppearance }),
  chooseAppearance: put('/session/appearance', 'session', { body: appearance }),
  setupState: get('/setup', 'none', { answer: setupState }),
  checkStorage: post('/setup/storage', 'none', {
    body: z.object({ folder: z.string().trim().min(1).max(1000) }),
    answer: storageCheck,
  }),
  setUp: post('/setup', 'none', { body: setupRequest, answer: recoveryCodeAnswer }),
};
