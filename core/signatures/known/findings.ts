/** The result for a questioned signature and a known set, without pictures and alignments. */
import { KNOWN_WARNINGS, type ComplexityClass, type KnownWarning } from '../../contracts/knownSignatures.ts';
import type { ComparedKnownSet, KnownSpecimen } from '../../domain/ports/knownSignatures.ts';
import { similarityOfLogit } from '../fusion.ts';
import { differingOne, twoGroups } from './agreement.ts';
import { copiesAmong, meanOf, ofGroups, pairsAmong, toOthers, type Likeness } from './likeness.ts';
import { ratiosOf, type KnownCalibration } from './ratios.ts';

/** Facts of the signatures beside their likeness. */
export interface SetFacts {
  /** Half turns of the line: of the questioned signature, and of each known one. */
  halfTurns: { questioned: number; known: readonly number[] };
  acrossMedia: boolean;
  /** Other ink was taken out of an image. */
  hadOtherInk: boolean;
}

type Findings = Omit<ComparedKnownSet, 'kind' | 'modelVersion' | 'known' | 'doubts' | 'pictures'> & {
  known: Omit<KnownSpecimen, 'alignment'>[];
};

/** Fewer known signatures than this are few. */
const ENOUGH = 5;
/** A rank among fewer says nothing. */
const LEAST_TO_RANK = 3;
/** Half turns of the signatures of CEDAR, from the simplest to the most complex. */
const VALID_HALF_TURNS = { from: 1, to: 13 };

/** @param likeness of at least one known signature, in the order in which they were given */
export function findingsOf(likeness: Likeness, facts: SetFacts, calibration: KnownCalibration): Findings {
  const copies = copiesAmong(likeness.among, calibration.natural);
  const distinct = ofGroups(likeness, copies);
  const groups = twoGroups(distinct.among);
  const differing = differingOne(distinct, calibration);
  const complexityOf = (halfTurns: number) => classOf(halfTurns, calibration);
  const pairs = pairsAmong(distinct.among);
  const { questioned } = likeness;
  const originals = (indices: readonly number[]) => indices.flatMap((i) => copies[i]!).sort((a, b) => a - b);
  const findings = {
    similarity: similarityOf(distinct),
    ratios: groups ? null : ratiosOf(distinct, calibration),
    typicality: typicalityOf(distinct),
    agreement: {
      similarity: pairs.length > 0 ? similarityOfLogit(meanOf(pairs)) : null,
      differing: groups || !differing ? null : { ...differing, index: copies[differing.index]![0]! },
      groups: groups ? ([originals(groups[0]), originals(groups[1])] as const) : null,
    },
    known: questioned.map((logit, i) => ({
      similarity: similarityOfLogit(logit),
      toOthers:
        copies.length > 1
          ? similarityOfLogit(
              toOthers(
                distinct.among,
                copies.findIndex((group) => group.includes(i)),
              ),
            )
          : null,
      complexity: complexityOf(facts.halfTurns.known[i]!),
    })),
    nearest: questioned.indexOf(Math.max(...questioned)),
    farthest: questioned.indexOf(Math.min(...questioned)),
    complexity: complexityOf(facts.halfTurns.questioned),
  };
  return { ...findings, warnings: warningsOf(findings, { distinct, likeness, facts }, calibration) };
}

/** 0 to 100: the mean likeness of the questioned signature to the known ones, of which copies count once. */
export function similarityToSet(likeness: Likeness, { natural }: KnownCalibration): number {
  return similarityOf(ofGroups(likeness, copiesAmong(likeness.among, natural)));
}

const similarityOf = ({ questioned }: Likeness): number => similarityOfLogit(meanOf(questioned));

function typicalityOf({ questioned, among }: Likeness): ComparedKnownSet['typicality'] {
  if (among.length < LEAST_TO_RANK) return null;
  const own = meanOf(questioned);
  return { closer: among.filter((_, i) => toOthers(among, i) > own).length, of: among.length };
}

function classOf(halfTurns: number, { halfTurns: { medium, high } }: KnownCalibration): ComplexityClass {
  if (halfTurns < medium) return 'LOW';
  return halfTurns < high ? 'MEDIUM' : 'HIGH';
}

function warningsOf(
  { agreement, complexity }: Pick<Findings, 'agreement' | 'complexity'>,
  { distinct, likeness, facts }: { distinct: Likeness; likeness: Likeness; facts: SetFacts },
  calibration: KnownCalibration,
): KnownWarning[] {
  const { natural } = calibration;
  const pairs = pairsAmong(distinct.among);
  const count = distinct.among.length;
  const turns = [facts.halfTurns.questioned, ...facts.halfTurns.known];
  const unusual = turns.some((each) => each < VALID_HALF_TURNS.from || each > VALID_HALF_TURNS.to);
  const applies: Record<KnownWarning, boolean> = {
    FEW_KNOWN: count < ENOUGH,
    KNOWN_DISAGREE: pairs.length > 0 && meanOf(pairs) < calibration.agreeing,
    ONE_KNOWN_DIFFERS: agreement.differing !== null,
    TWO_GROUPS: agreement.groups !== null,
    CROSS_MEDIUM: facts.acrossMedia,
    LOW_COMPLEXITY: complexity === 'LOW',
    QUESTIONED_IS_COPY: likeness.questioned.some((logit) => logit > natural),
    KNOWN_ARE_COPIES: count < likeness.among.length,
    OUTSIDE_VALIDATION: unusual,
    FOREIGN_INK: facts.hadOtherInk,
  };
  return KNOWN_WARNINGS.filter((warning) => applies[warning]);
}
