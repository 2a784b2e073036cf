/** Erasing a person and retention, as the mock API server answers them. */
import {
  erasureAnswer,
  erasureList,
  erasureRow,
  receiptVerdict,
  type ErasureRequest,
  type ErasureRow,
  erasurePlan,
  signedReceipt,
  type ErasureSelection,
  type SignedReceipt,
} from '../../core/contracts/erasure.ts';
import { retentionPreview, retentionRules } from '../../core/contracts/retention.ts';
import { at, personName } from './fixtures.ts';

type Answer = [status: number, body: unknown];

const CODE = '1f2e-3d4c-5b6a-7988';
export const RECEIPT = '2b1f6a3e-8c5d-4e7f-9a0b-1c2d3e4f5a6b';

export function answerErasure(
  { behaviour }: { behaviour: { rows: number; health: string } },
  route: string,
  body: Buffer,
): Answer | undefined {
  const one = /^(GET|POST) \/erasures\/([0-9a-f-]{36})(\/report)?$/.exec(route);
  if (one !== null) return one[3] === undefined ? [200, exampleReceipt()] : [200, '%PDF-1.3'];
  switch (route) {
    case 'GET /erasures':
      return [200, erasureList.parse({ items: behaviour.rows === 0 ? [] : receiptRows() })];
    case 'POST /erasures/verify': {
      const { receipt } = signedReceipt.parse(JSON.parse(body.toString()));
      return [200, receiptVerdict.parse({ ours: receipt.by === 'operator:1' })];
    }
    case 'POST /erasures/plan':
      return [200, planOf((JSON.parse(body.toString()) as { choice: ErasureSelection }).choice)];
    case 'POST /erasures':
      return answerOf(JSON.parse(body.toString()) as ErasureRequest);
    case 'GET /retention':
      return [200, previewOf({}, behaviour.health === 'bad')];
    case 'POST /retention/preview':
    case 'PUT /retention':
      return [200, previewOf((JSON.parse(body.toString()) as { rules: object }).rules)];
    default:
      return undefined;
  }
}

function receiptRows(): ErasureRow[] {
  const row = (n: number, part: Partial<ErasureRow>): ErasureRow =>
    erasureRow.parse({
      id: n === 0 ? RECEIPT : `2b1f6a3e-8c5d-4e7f-9a0b-1c2d3e4f5a${60 + n}`,
      at: at(9_000 - n * 1_440),
      reason: 'request',
      by: 'operator:1',
      byName: 'Maren Holt',
      finished: true,
      validations: 2,
      faces: 2,
      photos: 1,
      comparisons: 0,
      found: 0,
      unreached: 1,
      verified: true,
      ...part,
    });
  return [
    row(0, {}),
    row(1, { finished: false, found: null, verified: null }),
    row(2, { reason: 'retention', by: 'service', byName: null, validations: 412, faces: 412 }),
    row(3, { verified: false }),
    row(4, { found: 3 }),
    row(5, { found: null }),
  ];
}

function exampleReceipt(): SignedReceipt {
  const choice = { validations: [239_960], faces: [], photos: [], comparisons: [] };
  const { code } = planOf(choice);
  const [, answer] = answerOf({ choice, code, copies: 'remove' });
  return signedReceipt.parse((answer as { signed: unknown }).signed);
}

/** The first validation has two that resemble it, until they are selected. */
function planOf({ validations, faces }: ErasureSelection) {
  const twin = (validations[0] ?? 1) + 1;
  return erasurePlan.parse({
    code: `${CODE.slice(0, -1)}${validations.length}`,
    validations: validations.map((id) => ({
      id,
      name: personName(id),
      status: 3,
      createdAt: at(id),
      notes: 1,
      entries: 2,
    })),
    faces: [...validations, ...faces].map((id) => ({
      id,
      name: personName(id),
      watchlist: faces.includes(id) ? 'blacklist' : 'duplicate',
      blacklistId: faces.includes(id) ? 11 : null,
      trustValidationId: faces.includes(id) ? null : id,
      enrolledAt: at(id),
      templates: 1,
    })),
    goneFaces: [],
    photos: [],
    comparisons: [],
    examinations: [{ id: 5, at: at(6) }],
    caseFolders: [3],
    persons: validations.slice(0, 1).map((id) => ({ id: 3, name: personName(id), photosLeft: 1 })),
    images: { count: validations.length + faces.length, bytes: 250_000 },
    namedIn: [41],
    mentionedIn: [],
    candidates: [twin, twin + 1]
      .filter((id) => !validations.includes(id))
      .map((id) => ({
        kind: 'validation',
        id: String(id),
        name: personName(id),
        ...(id === twin
          ? { why: 'similar-face', score: 92, band: 'strong' }
          : { why: 'same-person', score: null, band: null }),
        face: id,
        at: at(id),
      })),
    copies: [{ name: 'before-restore-2026-03-01T10-00-00-000Z', at: at(0) }],
    backups: [{ sequence: 812, at: at(5) }],
    exports: [],
    sources: [],
  });
}

function answerOf({ choice, code, copies }: ErasureRequest): Answer {
  const plan = planOf(choice);
  if (code !== plan.code) return [409, { success: false, message: 'It changed.', code: 'PLAN_CHANGED' }];
  const receipt = {
    kind: 'vouch erasure receipt 1',
    id: RECEIPT,
    company: 1,
    reason: 'request',
    by: 'operator:1',
    at: at(9_000),
    finishedAt: at(9_000),
    erased: {
      validations: plan.validations.map(({ id, createdAt }) => ({ id, createdAt: Date.parse(createdAt) })),
      faces: plan.faces.map(({ id }) => ({ id, image: 'ab'.repeat(32) })),
      goneFaces: [],
      photos: [],
      comparisons: [],
      persons: 0,
      decisions: 1,
      examinations: 1,
      caseEntries: 2,
      images: plan.faces.map(() => 'ab'.repeat(32)),
      templates: [{ pipeline: 'vouch-face/1', count: plan.faces.length }],
      thumbnails: plan.faces.length,
      specimens: 0,
      screenings: 1,
      entries: 2,
      historyLines: 3,
      gallerySnapshots: 1,
      namesInEntries: 1,
    },
    files: {
      images: plan.images.count,
      bucket: null,
      keys: 0,
      journalLines: 0,
      copies: copies === 'remove' ? [plan.copies[0]!.name] : [],
    },
    proof: { pages: 48_211, sought: 34, found: 0, shared: 0, rebuilt: false },
    unreached: [{ what: 'backup', which: 'entry 812' }],
  };
  return [
    200,
    erasureAnswer.parse({ id: RECEIPT, signed: { receipt, signature: 'cd'.repeat(64), publicKey: 'ef' } }),
  ];
}

function previewOf(given: object, isHeld = false) {
  const rules = retentionRules.parse(given);
  const due = Object.fromEntries(
    Object.entries(rules).map(([kind, days]) => [kind, days === null ? 0 : 1_204]),
  );
  const stored = Object.fromEntries(Object.keys(rules).map((kind) => [kind, 2_745]));
  const dueSoon = Object.fromEntries(
    Object.entries(rules).map(([kind, days]) => [kind, days === null ? 0 : 1_310]),
  );
  const held = isHeld ? { reason: 'clock', now: at(900 * 24 * 60), latest: at(24 * 60) } : null;
  return retentionPreview.parse({
    rules,
    stored,
    due,
    dueSoon,
    code: `code-${JSON.stringify(rules).length}`,
    held,
  });
}
