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

/** Share of scores at or above a threshold; NaN of none. */
export function shareFrom(scores: readonly number[], threshold: number): number {
  return scores.filter((score) => score >= threshold).length / scores.length;
}
