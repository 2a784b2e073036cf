import { test } from 'node:test';
import assert from 'node:assert/strict';
import { CERTAINTY, SUPPORT_STRENGTHS } from '../../contracts/certainty.ts';
import { KNOWN_WARNING_TEXT, KNOWN_WARNINGS } from '../../contracts/knownSignatures.ts';
import { signatureSetResponse, type SignatureSetResponse } from '../../contracts/signatureSets.ts';
import { knownSignatureLines, knownSignatureRows } from './knownSignatures.ts';

const NAMES = ['a.png', 'b.png', 'c.png', 'specimen 7'];
const STATUS = { verification_status: 'Rejected', verification_status_code: 1 };
const bounds = { lowest: -1.1, highest: 1.1 };
const known = {
  count: 4,
  consistency: 70,
  flagged: [],
  without_flagged: null,
  without_flagged_bounds: null,
  groups: null,
};

const rate = (percent: number, from: number, to: number) => ({
  ...{ eer: percent / 100, from: from / 100, to: to / 100 },
});
const validity: SignatureSetResponse['result']['validity'] = [
  {
    ...{ medium: 'paper', script: 'Latin', calibration_id: 'm', writers: 12, known: 3 },
    ...{ imitation: rate(10.8, 6.3, 15.5), stranger: rate(1, 0.2, 2) },
  },
  {
    ...{ medium: 'across_media', script: 'Latin', calibration_id: 'm', writers: 30, known: 3 },
    ...{ imitation: rate(19.1, 15.7, 23.2), stranger: rate(1, 0.2, 1.4) },
  },
];

/** A valid answer of the public interface with these findings. */
function answerWith(findings: Partial<SignatureSetResponse['result']>): SignatureSetResponse {
  return signatureSetResponse.parse({
    ...{ status: true, message: 'A sentence.', match_status: 'Match', verdict: 'Match', ...STATUS },
    result: {
      ...{ similarity: 81.5, verdict: 'MATCH', verdict_display: 'Match', ...STATUS },
      log10_lr: { imitation: -0.52, stranger: 1.1 },
      log10_lr_bounds: { imitation: bounds, stranger: bounds },
      support: {
        imitation: { favours: 'alternative', strength: 'WEAK' },
        stranger: { favours: 'known_writer', strength: 'MODERATE' },
      },
      typicality: { closer: 2, of: 4 },
      known,
      nearest: { index: 3, similarity: 90 },
      farthest: { index: 1, similarity: 60.25 },
      per_known: [80, 60.25, 70, 90].map((similarity, index) => ({
        ...{ similarity, to_others: index === 0 ? null : 75 },
        complexity: 'MEDIUM',
      })),
      complexity: 'LOW',
      validity,
      warnings: [],
      model_version: 'v',
      scale: { calibration_id: 'v', possible_match: 40, match: 70 },
      ...findings,
    },
  });
}

const linesWith = (findings: Partial<SignatureSetResponse['result']>) =>
  knownSignatureLines(answerWith(findings), NAMES);

test('the terminal names both values, the ends of the set and the limits', () => {
  assert.deepEqual(linesWith({}), [
    'Match, similarity 81.50. A sentence.',
    'If another person imitated them: weak support for the alternative (likelihood ratio 1/3.3; the validation supports 1/13 to 13).',
    'If another person signed without a model: moderate support for the writer of the known signatures (likelihood ratio 13; the validation supports 1/13 to 13).',
    'The questioned signature is farther from the known ones than 2 of 4 are from one another.',
    'Complexity of the questioned signature: low.',
    'Nearest: specimen 7 (90.00). Farthest: b.png (60.25).',
    'Errors at one threshold on 12 writers on paper, Latin script, 3 known: 10.8% (95%: 6.3–15.5) against imitation, 1% (95%: 0.2–2) against another writer.',
    'Errors at one threshold on 30 writers across media, 3 known: 19.1% (95%: 15.7–23.2) against imitation, 1% (95%: 0.2–1.4) against another writer.',
    'Disguise, age and illness of a writer are in no value. This is not the probability that the signature is genuine.',
  ]);
});

test('a ratio from 1 to 3 is said to overstate, and no other one is', () => {
  const said =
    'A likelihood ratio from 1 to 3 overstates the support: a stated 1 is about 0.3 in the measurements.';
  assert.ok(linesWith({ log10_lr: { imitation: 0.3, stranger: 1.1 } }).includes(said));
  assert.ok(!linesWith({}).includes(said));
});

test('the table has a row for each known signature, in the order of the request', () => {
  assert.deepEqual(knownSignatureRows(answerWith({}), NAMES), [
    { known: 'a.png', similarity: '80.00', toOtherKnown: '-', complexity: 'medium' },
    { known: 'b.png', similarity: '60.25', toOtherKnown: '75.00', complexity: 'medium' },
    { known: 'c.png', similarity: '70.00', toOtherKnown: '75.00', complexity: 'medium' },
    { known: 'specimen 7', similarity: '90.00', toOtherKnown: '75.00', complexity: 'medium' },
  ]);
});

test('each strength of support and each warning has its words', () => {
  for (const strength of SUPPORT_STRENGTHS) {
    const favours = strength === 'NONE' ? 'neither' : 'known_writer';
    const each = { favours, strength } as const;
    const [, imitation, stranger] = linesWith({ support: { imitation: each, stranger: each } });
    const side = strength === 'NONE' ? ' either way (' : ' for the writer of the known signatures (';
    for (const line of [imitation, stranger])
      assert.ok(line?.includes(`: ${CERTAINTY.en.strengths[strength]}${side}`), line);
  }
  const lines = linesWith({ warnings: [...KNOWN_WARNINGS] });
  for (const warning of KNOWN_WARNINGS) assert.ok(lines.includes(KNOWN_WARNING_TEXT[warning]), warning);
});

test('a signature that differs is named, with the values without it', () => {
  const without = { imitation: 0.3, stranger: 1 };
  const fewer = { lowest: -1, highest: 1 };
  const differing = {
    ...{ ...known, flagged: [1], without_flagged: without },
    without_flagged_bounds: { imitation: fewer, stranger: fewer },
  };
  const lines = linesWith({ known: differing });
  assert.ok(lines.includes('Differs from the other known signatures: b.png'));
  assert.ok(
    lines.includes(
      'Without it, the likelihood ratio is 2 (the validation supports 1/10 to 10) against imitation and 10 (the validation supports 1/10 to 10) against another writer.',
    ),
  );
});

test('two groups are listed by name, and no value is printed', () => {
  const groups = [
    [0, 2],
    [1, 3],
  ];
  const none = { log10_lr: null, log10_lr_bounds: null, support: null };
  const lines = linesWith({ ...none, known: { ...known, groups } });
  assert.ok(lines.includes('Group 1: a.png, c.png') && lines.includes('Group 2: b.png, specimen 7'));
  assert.ok(!lines.some((line) => line.startsWith('If ')));
});

test('an inconclusive answer has its sentence alone, and no table', () => {
  const answer = answerWith({
    ...{ log10_lr: null, log10_lr_bounds: null, support: null, typicality: null, known: null },
    ...{ nearest: null, farthest: null, per_known: [], validity: [], complexity: null },
  });
  assert.equal(knownSignatureLines(answer, NAMES).length, 2);
  assert.deepEqual(knownSignatureRows(answer, NAMES), []);
});
