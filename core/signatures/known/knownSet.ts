/** A comparison with a known set: prepares each image once, compares all pairs, and states the findings. */
import { KNOWN_SIGNATURE_LIMITS } from '../../contracts/knownSignatures.ts';
import type { SignatureFault, SignatureReason } from '../../contracts/signatures.ts';
import type {
  ComparedKnownSet,
  KnownSet,
  KnownSetComparison,
  OfEach,
} from '../../domain/ports/knownSignatures.ts';
import { CALIBRATION } from '../calibration.ts';
import type { Comparable } from '../compare.ts';
import { doubtsOf, type Doubted } from '../doubts.ts';
import { logitOf } from '../fusion.ts';
import { halfTurnsOf } from '../points.ts';
import { KNOWN_CALIBRATION } from './calibration.ts';
import { explainsParts, partedBy, restOf, type ScoredPart } from '../parts.ts';
import { findingsOf, similarityToSet, type SetFacts } from './findings.ts';
import type {
  PartJob,
  PreparedImage,
  PrepareJob,
  ScoredPair,
  ScoredPairs,
  ScoredParts,
  ScoreJob,
} from './jobs.ts';
import type { Likeness } from './likeness.ts';
import type { InkPicture } from '../../domain/ports/signatures.ts';

/** A job that could not be done: its worker ended, or its time or memory was over. */
export interface GaveUp {
  kind: 'gaveUp';
  code: SignatureReason;
}

/** The worker pool that does the jobs. */
export interface Crew {
  /** Jobs that are done at the same time. */
  size: number;
  prepare(job: PrepareJob): Promise<PreparedImage | GaveUp>;
  score(job: ScoreJob): Promise<ScoredPairs | GaveUp>;
  part(job: PartJob): Promise<ScoredParts | GaveUp>;
}

/** Names matcher and rule: results compare only within one. */
export const KNOWN_SET_VERSION = `${CALIBRATION.modelVersion} ${KNOWN_CALIBRATION.modelVersion}`;

/**
 * Refuses images that break a limit, says why images hold nothing to compare, or compares.
 * @throws {RangeError} fewer or more known signatures than {@link KNOWN_SIGNATURE_LIMITS}; the caller has checked that
 */
export async function compareKnownSet(
  crew: Crew,
  set: KnownSet,
  options: { pictures: boolean },
): Promise<KnownSetComparison> {
  const { least, most } = KNOWN_SIGNATURE_LIMITS;
  if (set.known.length < least || set.known.length > most)
    throw new RangeError(`A known set has ${least} to ${most} signatures, not ${set.known.length}.`);
  const images = [set.questioned, ...set.known];
  const prepared = await Promise.all(
    images.map((image) => crew.prepare({ kind: 'prepare', image, pictures: options.pictures })),
  );
  const faults = prepared.map((one) => (one.kind === 'fault' ? one.fault : undefined));
  if (faults.some((fault) => fault !== undefined))
    return { kind: 'refused', faults: ofEach<SignatureFault>(faults) };
  const drawn = prepared.map((one) => ('picture' in one ? one.picture : undefined));
  const inconclusive = (reasons: readonly (SignatureReason | undefined)[]): KnownSetComparison => ({
    kind: 'inconclusive',
    modelVersion: KNOWN_SET_VERSION,
    reasons: ofEach(reasons),
    ...(options.pictures ? { pictures: ofEach<InkPicture>(drawn) } : {}),
  });
  const reasons = prepared.map((one) =>
    one.kind === 'unusable' ? one.reason : one.kind === 'gaveUp' ? one.code : undefined,
  );
  if (reasons.some((reason) => reason !== undefined)) return inconclusive(reasons);
  const usable = prepared.flatMap((one) => (one.kind === 'prepared' ? [one] : []));
  const signatures = usable.map(({ signature }) => signature);
  const scored = await scoredPairs(crew, signatures);
  // The failed image is no longer known.
  const gaveUp = ({ code }: GaveUp) => inconclusive(images.map(() => code));
  if (scored.kind === 'gaveUp') return gaveUp(scored);
  const likeness = likenessOf(signatures, scored.of);
  const parted = await partedImages(crew, usable, likeness, scored.of);
  if (!Array.isArray(parted)) return gaveUp(parted);
  const [questioned, ...known] = drawn.flatMap((picture) => (picture ? [picture] : []));
  return {
    ...comparison(signatures, likeness, scored.of, {
      acrossMedia: set.acrossMedia ?? false,
      hadOtherInk: usable.some(({ otherInk }) => otherInk === 'APART' || otherInk === 'MIXED'),
    }),
    doubts: doubtsOf(parted).map(({ verdicts, reasons: each }) => ({ verdicts, reasons: ofEach(each) })),
    ...(options.pictures && questioned ? { pictures: { questioned, known } } : {}),
  };
}

type Pairs = (one: number, other: number) => ScoredPair;
type Ready = Extract<PreparedImage, { kind: 'prepared' }>;

const logitOfScore = (score: number) => logitOf(score, CALIBRATION);

function likenessOf(signatures: readonly Comparable[], of: Pairs): Likeness {
  const logit = (one: number, other: number) => logitOfScore(of(one, other).score);
  const places = signatures.slice(1).map((_, index) => index + 1);
  return {
    questioned: places.map((place) => logit(place, 0)),
    among: places.map((one) => places.map((other) => (one === other ? NaN : logit(one, other)))),
  };
}

/**
 * The images with the doubt that a part of them explains a similarity of the set below a possible match: a part of the questioned
 * one that reaches it with the known set, or parts of known ones with which the set reaches it.
 */
async function partedImages(
  crew: Crew,
  [questioned, ...known]: readonly Ready[],
  likeness: Likeness,
  of: Pairs,
): Promise<Doubted[] | GaveUp> {
  if (!questioned) return [];
  const similarity = (logits: readonly number[]) =>
    similarityToSet({ ...likeness, questioned: logits }, KNOWN_CALIBRATION);
  if (!explainsParts(similarity(likeness.questioned))) return [questioned, ...known];
  const part = ({ strokes }: Ready, wholes: readonly Ready[]) =>
    crew.part({ kind: 'part', strokes, wholes: wholes.map(({ signature }) => signature) });
  const [alone, ...knownAlone] = await Promise.all([
    part(questioned, known),
    ...known.map((one) => part(one, [questioned])),
  ]);
  const failed = [alone, ...knownAlone].find((answer) => answer.kind === 'gaveUp');
  if (failed) return failed;
  const partsOf = (answer: ScoredParts | GaveUp) => (answer.kind === 'parted' ? answer.parts : []);
  const pairs = known.map((one, i) => ({ ...of(i + 1, 0), shape: one.signature }));
  const rests = pairs.map(({ shape, ...scores }) => restOf(questioned.signature, shape, scores)[0]);
  const rest: ScoredPart[] = rests.some((one) => one !== undefined)
    ? [{ otherInk: 'APART', scores: rests.map((one, i) => one?.scores[0] ?? pairs[i]!.score) }]
    : [];
  const partsOfKnown = pairs.map(({ shape, ...scores }, i) => [
    ...restOf(shape, questioned.signature, scores),
    ...partsOf(knownAlone[i]!),
  ]);
  const best = likeness.questioned.map((own, i) =>
    Math.max(own, ...partsOfKnown[i]!.map(({ scores }) => logitOfScore(scores[0]!))),
  );
  const isExplained = !explainsParts(similarity(best));
  return [
    partedBy(questioned, [...rest, ...partsOf(alone)], (scores) => similarity(scores.map(logitOfScore))),
    ...known.map((one, i) => (isExplained ? partedBy(one, partsOfKnown[i]!) : one)),
  ];
}

function comparison(
  signatures: readonly Comparable[],
  likeness: Likeness,
  of: Pairs,
  circumstances: Pick<SetFacts, 'acrossMedia' | 'hadOtherInk'>,
): Omit<ComparedKnownSet, 'doubts'> {
  const [questioned = 0, ...known] = signatures.map(({ bends }) => halfTurnsOf(bends));
  const facts = { halfTurns: { questioned, known }, ...circumstances };
  const findings = findingsOf(likeness, facts, KNOWN_CALIBRATION);
  return {
    kind: 'compared',
    modelVersion: KNOWN_SET_VERSION,
    ...findings,
    known: findings.known.map((each, i) => ({ ...each, alignment: of(i + 1, 0).alignment })),
  };
}

type AllScored = { kind: 'all'; of: Pairs } | GaveUp;

/** Every pair once, the later signature first; the pairs are dealt to the workers in turn. */
async function scoredPairs(crew: Crew, signatures: readonly Comparable[]): Promise<AllScored> {
  const pairs = signatures.flatMap((_, one) =>
    signatures.slice(0, one).map((_, other): [number, number] => [one, other]),
  );
  const shares = Array.from({ length: Math.min(crew.size, pairs.length) }, (_, share) =>
    pairs.filter((_, i) => i % crew.size === share),
  );
  const results = new Map<number, ScoredPair>();
  const key = (one: number, other: number) => one * signatures.length + other;
  const answers = await Promise.all(
    shares.map((share) => crew.score({ kind: 'score', signatures, pairs: share })),
  );
  for (const [index, answer] of answers.entries()) {
    if (answer.kind === 'gaveUp') return answer;
    answer.pairs.forEach((pair, i) => results.set(key(...shares[index]![i]!), pair));
  }
  const of = (one: number, other: number) => results.get(key(Math.max(one, other), Math.min(one, other)))!;
  return { kind: 'all', of };
}

/** Values of the images in their order, the questioned one first; those that are undefined are left out. */
export function ofEach<T>([questioned, ...known]: readonly (T | undefined)[]): OfEach<T> {
  return {
    ...(questioned !== undefined && { questioned }),
    known: new Map(known.flatMap((one, i) => (one === undefined ? [] : [[i, one] as const]))),
  };
}
