/** Error rates of a verifier from its scores. */

/** Equal error rate and area under the curve; scores: larger is more alike. */
export function errorRates(
  genuine: readonly number[],
  impostor: readonly number[],
): { eer: number; auc: number } {
  const all = [
    ...genuine.map((score) => ({ score, same: 1 })),
    ...impostor.map((score) => ({ score, same: 0 })),
  ].sort((a, b) => b.score - a.score);
  let eer = 1;
  let gap = Infinity;
  let accepted = 0;
  let falselyAccepted = 0;
  let area = 0;
  for (let i = 0; i < all.length;) {
    const before = accepted;
    let ties = 0;
    for (const { score } = all[i]!; i < all.length && all[i]!.score === score; i++) {
      if (all[i]!.same === 1) accepted++;
      else ties++;
    }
    falselyAccepted += ties;
    area += ties * ((before + accepted) / 2);
    const fnmr = 1 - accepted / genuine.length;
    const fmr = falselyAccepted / impostor.length;
    if (Math.abs(fnmr - fmr) < gap) {
      gap = Math.abs(fnmr - fmr);
      eer = (fnmr + fmr) / 2;
    }
  }
  return { eer, auc: area / genuine.length / impostor.length };
}

/**
 * The rate that a measurement without any error may still hide, with 95 % confidence: 3 of its number of independent trials
 * (ISO/IEC 19795-1, rule of 3). Pairs that share a writer are not quite independent, so it is the least that can be said.
 */
export function ruleOfThree(trials: number): number {
  return Math.min(1, 3 / trials);
}

/** Share of scores at or above a threshold; NaN of none. */
export function shareFrom(scores: readonly number[], threshold: number): number {
  return scores.filter((score) => score >= threshold).length / scores.length;
}
