/** Comparisons of signatures on the mock API server. */
import {
  comparisonAnswer,
  comparisonPage,
  knownSetAnswer,
  signatureRow,
  type ComparisonRow,
  type KnownSetRow,
  type SignatureRow,
} from '../../core/contracts/dashboard/signatures.ts';
import { type KnownFindings, supportOf } from '../../core/contracts/knownSignatures.ts';
import { signatureSetRequest } from '../../core/contracts/signatureSets.ts';
import type { Verdict } from '../../core/contracts/signatures.ts';
import { drawnInk } from './drawnSignatures.ts';
import { at } from './fixtures.ts';

type Answer = [status: number, body: unknown];
/** The part of the mock API server that these answers depend on. */
interface MockSite {
  behaviour: { rows: number; verdict: Verdict; asksPassphrase: boolean };
}

const SIMILARITY: Record<Verdict, number | null> = {
  MATCH: 86.4,
  POSSIBLE_MATCH: 58.2,
  NO_MATCH: 17.9,
  INCONCLUSIVE: null,
};
const ACTORS = [
  { credential: 'operator:1', operator: 'Maren Holt' },
  { credential: 'token:2', operator: null },
];
const VERDICTS = Object.keys(SIMILARITY) as Verdict[];

function comparison(id: number, verdict: Verdict): ComparisonRow {
  return {
    id,
    at: at(-id * 17),
    templateId: id % 3 === 0 ? 'leases' : 'accounts',
    verificationId: `case-${8_000 - id}`,
    credential: id % 4 === 0 ? 'token:2' : 'operator:1',
    operator: id % 4 === 0 ? null : 'Maren Holt',
    similarity: SIMILARITY[verdict],
    verdict,
    reasons: verdict === 'INCONCLUSIVE' ? { image2: 'BLANK' } : {},
    thresholds: { match: 70, possibleMatch: 40 },
    modelVersion: 'signature-1',
    sha256: { image1: 'a7'.repeat(32), image2: '3c'.repeat(32) },
  };
}

/** A comparison with five known signatures, of which the fourth differs. */
function knownSet(id: number, verdict: Verdict): KnownSetRow {
  const { reasons: _reasons, sha256: _sha256, ...facts } = comparison(id, verdict);
  const inconclusive = verdict === 'INCONCLUSIVE';
  return {
    ...facts,
    known: {
      acrossMedia: false,
      calibrationId: 'signature-1 own 2026-11-20T09:00:00.000Z',
      sha256: {
        questioned: 'a7'.repeat(32),
        known: ['3c', '5d', '91', 'e0', '4b'].map((two) => two.repeat(32)),
      },
      reasons: { questioned: null, known: [null, null, inconclusive ? 'BLANK' : null, null, null] },
      findings: inconclusive ? null : id === NEAR_ONE ? nearOne : knownFindings,
    },
  };
}

const ratio = (log10: number, bound: number) => ({
  log10,
  bounds: { lowest: -bound, highest: bound },
  support: supportOf(log10),
});
const SPECIMENS = [68.1, 74.5, 59.9, 31.2, 66.4];
const knownFindings: KnownFindings = {
  ratios: { imitation: ratio(0.82, 1.07), stranger: ratio(1.07, 1.07) },
  typicality: { closer: 3, of: 5 },
  agreement: {
    similarity: 63.4,
    differing: {
      index: 3,
      ratiosWithout: { imitation: ratio(1.05, 1.07), stranger: ratio(1.07, 1.07) },
    },
    groups: null,
  },
  known: SPECIMENS.map((similarity, index) => ({
    similarity,
    toOthers: index === 3 ? 28.4 : 71.2,
    complexity: 'MEDIUM',
  })),
  nearest: 1,
  farthest: 3,
  complexity: 'MEDIUM',
  warnings: ['ONE_KNOWN_DIFFERS'],
};

/** The comparison of a ratio just above 1. */
const NEAR_ONE = 22;
const nearOne: KnownFindings = {
  ...knownFindings,
  ratios: { imitation: ratio(0.2, 1.07), stranger: ratio(1.07, 1.07) },
};

const comparisonOf = (id: number): SignatureRow =>
  id % 5 === 2 ? knownSet(id, VERDICTS[id % 4] ?? 'MATCH') : comparison(id, VERDICTS[id % 4] ?? 'MATCH');

export function answerSignatures(
  { behaviour }: MockSite,
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  if (route === 'POST /signatures/compare') {
    const [first, second] = [drawnInk(), drawnInk(1)];
    return [
      200,
      comparisonAnswer.parse({
        ...comparison(1, behaviour.verdict),
        at: at(0),
        pictures: { image1: first, image2: second },
        alignment: behaviour.verdict === 'INCONCLUSIVE' ? null : [0.97, 0.06, -12, -0.05, 1.02, 14],
      }),
    ];
  }
  if (route === 'POST /signatures/compare-known') return compareKnown(behaviour.verdict, body);
  if (/^POST \/signatures\/\d+\/(known-)?report$/.test(route))
    return behaviour.asksPassphrase
      ? [403, { success: false, message: 'Enter your passphrase again.', code: 'REAUTHENTICATE' }]
      : [200, 'a report'];
  const one = /^GET \/signatures\/(\d+)$/.exec(route)?.[1];
  if (one !== undefined) return [200, signatureRow.parse(comparisonOf(Number(one)))];
  if (route !== 'GET /signatures') return undefined;
  const wanted = (row: SignatureRow) =>
    [
      ['template_id', row.templateId],
      ['verification_id', row.verificationId],
      ['verdict', row.verdict],
      ['credential', row.credential],
    ].every(([key = '', value]) => (query.get(key) ?? value) === value);
  const rows =
    behaviour.rows === 0 ? [] : Array.from({ length: 340 }, (_, n) => comparisonOf(n + 1)).filter(wanted);
  const from = Number(query.get('cursor') ?? 0);
  const items = rows.slice(from, from + 200);
  const nextCursor = from + 200 < rows.length ? String(from + 200) : null;
  return [200, comparisonPage.parse({ items, nextCursor, total: rows.length, actors: ACTORS })];
}

/** As many specimens as were sent are compared; the fixture's findings are those of five. */
function compareKnown(verdict: Verdict, body: Buffer): Answer {
  const { known } = signatureSetRequest.parse(JSON.parse(body.toString()));
  const row = knownSet(2, verdict);
  const { findings, reasons, sha256 } = row.known;
  const first = <T>(list: readonly T[]) => list.slice(0, known.length);
  return [
    200,
    knownSetAnswer.parse({
      ...row,
      at: at(0),
      known: {
        ...row.known,
        sha256: { ...sha256, known: first(sha256.known) },
        reasons: { ...reasons, known: first(reasons.known) },
        findings: findings && { ...findings, known: first(findings.known) },
      },
      pictures: { questioned: drawnInk(), known: known.map((_, index) => drawnInk(1 + index / 2)) },
      alignments: findings && known.map(() => [0.97, 0.06, -12, -0.05, 1.02, 14]),
    }),
  ];
}
