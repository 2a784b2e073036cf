/** Verifications in the public shapes of the neighbouring routes. */
import { TRUST_VALIDATION_STATUS_WIRE, type TrustValidationStatus } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import type {
  BiometricsDetected,
  BiometricsV1,
  BiometricsVerified,
  CreatedVerification,
  FinalizedVerification,
  Plan,
  VerificationView,
} from '../../contracts/verifications.ts';
import type { Caller } from '../../domain/credentials/bearer.ts';
import type { MatchRecord, ValidationState } from '../../domain/ports/screening.ts';
import type { TrustFlow } from '../../storage/screening/trustFlows.ts';
import type { RegistrationOutcome, TakenSelfie } from '../../domain/screening/verifications.ts';

/** The hosted service's number of the duplicate-detection watchlist, of a still image, and of what succeeded. */
const DUPLICATE_WATCHLIST = 0;
const STILL_IMAGE = 0;
const SUCCESS = 1;

export function created(caller: Caller, flow: TrustFlow, validation: ValidationState): CreatedVerification {
  const { duplicateDetection, blacklistDetection, registration } = validation.version?.settings ?? {};
  const plan: Plan = registration?.enabled === true ? 'biometrics_registration' : 'biometrics_verification';
  return {
    message: MESSAGES.verificationCreated,
    verification: verificationView(caller, validation),
    template: {
      id: flow.id,
      company_id: caller.companyId,
      name: flow.name,
      plans: '[]',
      created_at: flow.createdAt,
      updated_at: flow.updatedAt,
      webhook_url: null,
      redirect_url: null,
    },
    // That lists are screened, but not which: this answer may reach the phone of the person who is screened.
    tool_settings: [
      {
        plan,
        config: {
          duplicateDetection: duplicateDetection?.enabled ?? false,
          blacklistDetection: blacklistDetection?.enabled ?? false,
        },
      },
    ],
    plans: [{ plan }],
  };
}

export function finalized(caller: Caller, validation: ValidationState): FinalizedVerification {
  const { status } = validation;
  return {
    message: MESSAGES.verificationFinalized,
    verification: {
      ...verificationView(caller, validation),
      verification_ended_at: validation.finalizedAt?.toISOString() ?? null,
      profile_name: validation.name,
      is_processing: 0,
      is_deleted: 0,
    },
    missing_plans: [],
    status,
    status_message: TRUST_VALIDATION_STATUS_WIRE[status],
    finalized: true,
  };
}

export function biometricsVerified(taken: TakenSelfie): BiometricsVerified {
  const { status } = taken.validation;
  return {
    ...outcome(taken, status, MESSAGES.biometricsVerified, 'biometrics_verification'),
    data: { livenessPass: null, livenessScore: null },
  };
}

export function biometricsDetected(
  companyId: CompanyId,
  registered: Extract<RegistrationOutcome, { kind: 'taken' }>,
  name: string | null,
): BiometricsDetected {
  const { validation, selfie, at, matches, status } = registered;
  return {
    ...outcome(registered, status, MESSAGES.biometricsDetected, 'biometrics_registration'),
    data: {
      enroll: {
        companyId,
        enrolledAt: at.toISOString(),
        imageType: STILL_IMAGE,
        name,
        recordId: selfie.faceId,
        referenceId: String(validation.id),
        status: SUCCESS,
        watchlistId: DUPLICATE_WATCHLIST,
      },
      screen: {
        checkedWatchlists: [DUPLICATE_WATCHLIST],
        imageType: STILL_IMAGE,
        status: SUCCESS,
        watchlists: [
          {
            watchlistId: DUPLICATE_WATCHLIST,
            hasMatches: matches.length > 0,
            matches: matches.map(matchView),
          },
        ],
      },
    },
  };
}

/** The selfie of a verification without enrolment, on the v1 wire. */
export function biometricsVerifiedV1(taken: TakenSelfie): BiometricsV1 {
  return biometricsV1(taken, {
    plan: 'biometrics_verification',
    code: taken.validation.status,
    enrolledBefore: false,
    message: MESSAGES.biometricsVerified,
  });
}

/** The enrolled selfie on the v1 wire; only a strong match is an account that exists already. */
export function biometricsRegisteredV1(
  registered: Extract<RegistrationOutcome, { kind: 'taken' }>,
): BiometricsV1 {
  const { matches, status } = registered;
  const enrolledBefore = matches.some(({ band }) => band === 'strong');
  const message = enrolledBefore ? MESSAGES.accountExists : MESSAGES.biometricsRegistered;
  return biometricsV1(registered, { plan: 'biometrics_registration', code: status, enrolledBefore, message });
}

function biometricsV1(
  { validation, onePerson }: TakenSelfie,
  step: { plan: Plan; code: TrustValidationStatus; enrolledBefore: boolean; message: string },
): BiometricsV1 {
  const { plan, code, enrolledBefore, message } = step;
  return {
    status: !enrolledBefore,
    message,
    result: { status: enrolledBefore ? 'exists' : 'success', message },
    verification_status: TRUST_VALIDATION_STATUS_WIRE[code],
    verification_status_code: code,
    template_id: validation.trustFlowId,
    verification_id: String(validation.id),
    verification_type: plan,
    metadata: validation.metadata,
    one_person: onePerson,
  };
}

function matchView(match: MatchRecord): BiometricsDetected['data']['screen']['watchlists'][0]['matches'][0] {
  return {
    enrolledAt: match.enrolledAt.toISOString(),
    imageType: STILL_IMAGE,
    name: match.fullName,
    recordId: match.faceId,
    referenceId: String(match.matchedValidationId),
    similarityScore: match.score,
    person: match.person,
  };
}

function outcome<Type extends string>(
  { validation, onePerson }: TakenSelfie,
  status: TrustValidationStatus,
  message: string,
  verificationType: Type,
) {
  return {
    success: true as const,
    message,
    verificationStatus: TRUST_VALIDATION_STATUS_WIRE[status],
    verificationStatusCode: status,
    trustFlowId: validation.trustFlowId,
    trustValidationId: String(validation.id),
    verificationType,
    metadata: validation.metadata,
    onePerson,
  };
}

function verificationView(caller: Caller, validation: ValidationState): VerificationView {
  const createdAt = validation.createdAt.toISOString();
  return {
    id: String(validation.id),
    user_id: credentialNumber(caller),
    company_id: caller.companyId,
    template_id: validation.trustFlowId,
    status: validation.status,
    verification_date: createdAt,
    verification_data: '[]',
    verification_started_at: createdAt,
    metadata: validation.metadata,
  };
}

/** Programs are no users here: the number of the credential stands for the one who asks. */
function credentialNumber({ credential }: Caller): number {
  return Number(/\d+$/.exec(credential)?.[0] ?? 0);
}
