/** The people who sign in to the dashboard, as its Operators screen shows and changes them. */
import { z } from 'zod';
import { namesOf } from '../namesOf.ts';
import { PERMISSIONS } from './permissions.ts';
import { OPERATOR_ROLES, recoveryCodeAnswer } from './session.ts';
import { displayLine } from '../displayLine.ts';
import { get, patch, post } from './operation.ts';
import { pathId } from '../ids.ts';

const role = z.enum(OPERATOR_ROLES);
/** The service names every rule that a passphrase breaks. */
const passphrase = z.string().min(1).max(1024);

export const operatorRow = z.object({
  id: z.number().int(),
  name: z.string(),
  role,
  /** Whether they may sign in. */
  active: z.boolean(),
  /** The only active admin of the company: stays one until there is another. */
  lastAdmin: z.boolean(),
  /** True for the operator who sent the request. */
  self: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSignedInAt: z.iso.datetime().nullable(),
  /** Failed sign-ins in a row, and until when the name has to wait for them. */
  failedAttempts: z.number().int(),
  lockedUntil: z.iso.datetime().nullable(),
  /** Where they are signed in, newest first. */
  sessions: z.array(
    z.object({
      openedAt: z.iso.datetime(),
      usedAt: z.iso.datetime(),
      /** The session that asks. */
      current: z.boolean(),
    }),
  ),
});
export type OperatorRow = z.infer<typeof operatorRow>;

/** `GET /operators`. */
export const operatorList = z.object({
  items: z.array(operatorRow),
  /** When the company's recovery code was made; null: it has none. */
  recoveryCodeMadeAt: z.iso.datetime().nullable(),
  /** The permissions of each role. */
  permissions: z.array(
    z.object({
      permission: z.enum(namesOf(PERMISSIONS)),
      roles: z.array(role),
      /** The passphrase must have been given within the last minutes. */
      fresh: z.boolean(),
    }),
  ),
});
export type OperatorList = z.infer<typeof operatorList>;

/** `POST /operators`. */
export const newOperator = z.object({
  name: displayLine(100).min(1),
  role,
  passphrase,
});
export type NewOperatorBody = z.infer<typeof newOperator>;

/** `PATCH /operators/:id`; what is absent stays. */
export const operatorChange = z.object({ role: role.optional(), active: z.boolean().optional() });
export type OperatorChange = z.infer<typeof operatorChange>;

/** `POST /operators/:id/passphrase`: all their sessions end. */
export const passphraseReset = z.object({ passphrase });

const byId = z.object({ id: pathId.operator });
/** The dashboard's operations. */
export const operatorApi = {
  list: get('/operators', 'operators:read', { answer: operatorList }),
  create: post('/operators', 'operators:write', { body: newOperator, answer: operatorRow }),
  change: patch('/operators/:id', 'operators:write', {
    params: byId,
    body: operatorChange,
    answer: operatorRow,
  }),
  resetPassphrase: post('/operators/:id/passphrase', 'operators:write', {
    params: byId,
    body: passphraseReset,
  }),
  unlock: post('/operators/:id/unlock', 'operators:write', { params: byId }),
  signOut: post('/operators/:id/sign-out', 'operators:write', { params: byId }),
  issueRecoveryCode: post('/operators/recovery-code', 'operators:write', { answer: recoveryCodeAnswer }),
};
