/** One example per operation of the interface description, by operationId. A test holds them against the schemas. */

export interface Example {
  /** Absent where nothing is sent, or a form of files. */
  request?: object;
  response: object;
}

const UPLOAD = '0d9c3f4a-6f1b-4c55-9d7e-2f3a8b1c4d5e';
const BEGUN = '2026-03-01T12:00:00.000Z';
const ENDED = '2026-03-01T12:00:04.250Z';
const JPEG_URI = 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==';
const PNG_URI = 'data:image/png;base64,iVBORw0KGgo=';
const LISTS = 'http://127.0.0.1:4610/api/v3/biometric-blacklists';
const VALIDATIONS = 'http://127.0.0.1:4610/api/v3/trust-validations';

const receipt = { uploadId: UPLOAD, numberOfImages: 2, status: 1, statusLabel: 'Processing' };
const progress = {
  uploadId: UPLOAD,
  numberOfImages: 2,
  status: 3,
  statusLabel: 'Partially Completed',
  processedCount: 2,
  succeededCount: 1,
  failedCount: 1,
  pendingCount: 0,
  progress: 100,
  createdAt: BEGUN,
  completedAt: ENDED,
};
const enrolled = {
  index: 0,
  fileName: 'Amina Haddad.jpg',
  status: 2,
  statusLabel: 'Enrolled',
  failureCode: null,
  failureReason: null,
  remedy: null,
  processedAt: ENDED,
  onePerson: false,
};
const failed = {
  index: 1,
  fileName: 'Team photo.png',
  status: 3,
  statusLabel: 'Failed',
  failureCode: 'MULTIPLE_FACES',
  failureReason: 'Multiple faces detected in the image. Please ensure only one face is visible.',
  remedy: 'Crop the photo to one person.',
  processedAt: ENDED,
  onePerson: false,
};
const verification = {
  id: '49',
  user_id: 3,
  company_id: 1,
  template_id: 2,
  verification_date: BEGUN,
  verification_data: '[]',
  verification_started_at: BEGUN,
  metadata: { counter: 4 },
};
const outcome = {
  onePerson: false,
  verificationStatus: 'IN_PROGRESS',
  verificationStatusCode: 5,
  trustFlowId: 2,
  trustValidationId: '49',
  metadata: { counter: 4 },
};
const outcomeV1 = {
  one_person: false,
  verification_status: 'IN_PROGRESS',
  verification_status_code: 5,
  template_id: 2,
  verification_id: '49',
  metadata: { counter: 4 },
};
const summary = {
  id: 49,
  trustFlowId: 2,
  trustFlowName: 'Visitors',
  name: 'Verification 49',
  source: 'verification',
  status: 2,
  statusLabel: 'Review Needed',
  duplicateDetected: true,
  blacklistDetected: false,
  incompleteReason: null,
  createdAt: BEGUN,
  finalizedAt: ENDED,
};

const enrolment = {
  response: {
    success: true,
    message: 'Face upload progress retrieved',
    data: {
      ...progress,
      trustFlowId: 1,
      images: [
        { ...enrolled, trustValidationId: 41 },
        { ...failed, trustValidationId: null },
      ],
    },
  },
};
const blacklistUpload = {
  response: {
    success: true,
    message: 'Face upload progress retrieved',
    data: {
      ...progress,
      blacklistId: 7,
      images: [
        { ...enrolled, name: 'Amina Haddad', faceId: 108 },
        { ...failed, name: 'Team photo', faceId: null },
      ],
    },
  },
};

export const EXAMPLES: Readonly<Record<string, Example>> = {
  getHealth: { response: { status: 'ok', paused: false } },
  enrolFaces: {
    response: {
      success: true,
      message: 'Face upload accepted and queued for duplicate detection enrollment',
      data: { ...receipt, trustFlowId: 1 },
    },
  },
  findEnrolment: enrolment,
  getEnrolment: enrolment,
  listBlacklists: {
    response: {
      success: true,
      message: 'Blacklists retrieved',
      data: [
        {
          id: 7,
          name: 'Barred visitors',
          description: null,
          status: 1,
          statusLabel: 'Active',
          enrolledFacesCount: 12,
          createdAt: BEGUN,
          updatedAt: BEGUN,
        },
      ],
      links: {
        first: `${LISTS}?page=1&per_page=50`,
        last: `${LISTS}?page=1&per_page=50`,
        prev: null,
        next: null,
      },
      meta: { current_page: 1, from: 1, last_page: 1, path: LISTS, per_page: 50, to: 1, total: 1 },
    },
  },
  addBlacklistFaces: {
    response: {
      success: true,
      message: 'Face upload accepted and queued for blacklist enrollment',
      data: { ...receipt, blacklistId: 7 },
    },
  },
  findBlacklistUpload: blacklistUpload,
  getBlacklistUpload: blacklistUpload,
  createVerification: {
    request: { template_id: 2, metadata: { counter: 4 } },
    response: {
      message: 'Verification created successfully',
      verification: { ...verification, status: 99 },
      template: {
        id: 2,
        company_id: 1,
        name: 'Visitors',
        plans: '[]',
        created_at: BEGUN,
        updated_at: BEGUN,
        webhook_url: null,
        redirect_url: null,
      },
      tool_settings: [
        { plan: 'biometrics_verification', config: { duplicateDetection: true, blacklistDetection: false } },
      ],
      plans: [{ plan: 'biometrics_verification' }],
    },
  },
  verifyBiometrics: {
    request: { image: JPEG_URI, trust_flow_id: 2, trust_validation_id: '49' },
    response: {
      success: true,
      message: 'Biometrics verification processed successfully',
      data: { livenessPass: null, livenessScore: null },
      ...outcome,
      verificationType: 'biometrics_verification',
    },
  },
  detectBiometrics: {
    request: { image: JPEG_URI, username: 'Amina Haddad', trustFlowId: 2, trustValidationId: '49' },
    response: {
      success: true,
      message: 'Biometrics detection processed successfully',
      data: {
        enroll: {
          companyId: 1,
          enrolledAt: ENDED,
          imageType: 0,
          name: 'Amina Haddad',
          recordId: 109,
          referenceId: '49',
          status: 1,
          watchlistId: 0,
        },
        screen: {
          checkedWatchlists: [0],
          imageType: 0,
          status: 1,
          watchlists: [
            {
              watchlistId: 0,
              hasMatches: true,
              matches: [
                {
                  enrolledAt: BEGUN,
                  imageType: 0,
                  name: 'A. Haddad',
                  recordId: 88,
                  referenceId: '41',
                  similarityScore: 91.4,
                },
              ],
            },
          ],
        },
      },
      ...outcome,
      verificationType: 'biometrics_registration',
    },
  },
  verifyBiometricsV1: {
    request: { image: JPEG_URI, template_id: 2, verification_id: '49' },
    response: {
      status: true,
      message: 'Biometrics verification processed successfully',
      result: { status: 'success', message: 'Biometrics verification processed successfully' },
      ...outcomeV1,
      verification_type: 'biometrics_verification',
    },
  },
  registerBiometricsV1: {
    request: { image: JPEG_URI, username: 'Amina Haddad', template_id: 2, verification_id: '49' },
    response: {
      status: false,
      message: 'Account already exists',
      result: { status: 'exists', message: 'Account already exists' },
      ...outcomeV1,
      verification_type: 'biometrics_registration',
    },
  },
  compareFaces: {
    request: { image1: JPEG_URI, image2: JPEG_URI, template_id: '2', verification_id: '49' },
    response: {
      status: true,
      message: 'Face comparison completed. The faces are similar, but a person has to decide.',
      result: {
        similarity: 76.4,
        verdict: 'POSSIBLE_MATCH',
        verification_status: 'Review Needed',
        verification_status_code: 2,
        verdict_display: 'Possible Match',
        band: 'possible',
        false_match_rate: 0.000014,
      },
      match_status: 'review',
      verification_status: 'Review Needed',
      verification_status_code: 2,
      verdict: 'Possible Match',
    },
  },
  getDesignSettings: {
    response: {
      templateDesign: {
        id: null,
        template_id: null,
        logo: null,
        settings: null,
        is_active: null,
        file_name: null,
        created_at: null,
        updated_at: null,
      },
    },
  },
  finalizeVerification: {
    request: { template_id: 2, verification_id: '49' },
    response: {
      message: 'Verification finalized successfully',
      verification: {
        ...verification,
        status: 2,
        verification_ended_at: ENDED,
        profile_name: 'Visitors',
        is_processing: 0,
        is_deleted: 0,
      },
      missing_plans: [],
      status: 2,
      status_message: 'REVIEW_NEEDED',
      finalized: true,
    },
  },
  matchSignatures: {
    request: { image1: PNG_URI, image2: PNG_URI, template_id: 'accounts', verification_id: 'case-1183' },
    response: {
      status: true,
      message: 'Signature matching completed successfully.',
      result: {
        similarity: 83.12,
        verdict: 'MATCH',
        verification_status: 'Verified',
        verification_status_code: 3,
        verdict_display: 'Match',
      },
      match_status: 'matched',
      verification_status: 'Verified',
      verification_status_code: 3,
      verdict: 'Match',
    },
  },
  compareKnownSignatures: {
    request: {
      questioned: PNG_URI,
      known: [PNG_URI, PNG_URI, PNG_URI],
      template_id: 'accounts',
      verification_id: 'case-1183',
      across_media: false,
    },
    response: {
      status: true,
      message: 'Signature matching completed successfully.',
      result: {
        similarity: 81.4,
        verdict: 'MATCH',
        verification_status: 'Verified',
        verification_status_code: 3,
        verdict_display: 'Match',
        log10_lr: { imitation: 1.07, stranger: 1.62 },
        log10_lr_bounds: {
          imitation: { lowest: -1.62, highest: 1.62 },
          stranger: { lowest: -1.62, highest: 1.62 },
        },
        support: {
          imitation: { favours: 'known_writer', strength: 'MODERATE' },
          stranger: { favours: 'known_writer', strength: 'MODERATE' },
        },
        typicality: { closer: 1, of: 3 },
        known: {
          count: 3,
          consistency: 84.2,
          flagged: [],
          without_flagged: null,
          without_flagged_bounds: null,
          groups: null,
        },
        nearest: { index: 1, similarity: 88.03 },
        farthest: { index: 2, similarity: 72.9 },
        per_known: [
          { similarity: 80.11, to_others: 84.7, complexity: 'MEDIUM' },
          { similarity: 88.03, to_others: 86.3, complexity: 'MEDIUM' },
          { similarity: 72.9, to_others: 81.6, complexity: 'MEDIUM' },
        ],
        complexity: 'MEDIUM',
        validity: [
          {
            medium: 'paper',
            script: 'Latin',
            calibration_id: 'signatures-1 known-1',
            writers: 12,
            known: 3,
            imitation: { eer: 0.108, from: 0.063, to: 0.155 },
            stranger: { eer: 0.01, from: 0.002, to: 0.02 },
          },
        ],
        warnings: ['FEW_KNOWN'],
        model_version: 'signatures-1 known-1',
        scale: { calibration_id: 'signatures-1', possible_match: 40, match: 70 },
      },
      match_status: 'matched',
      verification_status: 'Verified',
      verification_status_code: 3,
      verdict: 'Match',
    },
  },
  listTrustValidations: {
    response: {
      success: true,
      message: 'Trust Validations retrieved',
      data: [summary],
      links: { first: `${VALIDATIONS}?limit=50`, last: null, prev: null, next: null },
      meta: {
        current_page: null,
        from: null,
        last_page: null,
        path: VALIDATIONS,
        per_page: 50,
        to: null,
        total: null,
        next_cursor: null,
      },
    },
  },
  getTrustValidation: {
    response: {
      success: true,
      message: 'Trust Validation retrieved',
      data: {
        ...summary,
        metadata: { counter: 4 },
        duplicates: [{ trustValidationId: 41, similarityScore: 91.4, enrolledAt: BEGUN, band: 'strong' }],
        blacklistMatches: [],
        screening: {
          screenedAt: ENDED,
          duplicateDetection: true,
          blacklists: [],
          notScreened: [],
          targetFmr: 0.0001,
          maxDistance: 0.62,
          pipelineId: 'example',
          selfies: 1,
        },
        history: [
          {
            at: BEGUN,
            actor: 'token:3',
            action: 'created',
            fromStatus: null,
            toStatus: 99,
            note: null,
            failureCode: null,
          },
        ],
      },
    },
  },
};
