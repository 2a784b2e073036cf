/**
 * Handwriting as movement: every stroke has a log-normal speed and an arc, strokes overlap in time, and their velocities
 * add up. After the sigma-lognormal model of Plamondon (1995) and its use for synthetic signatures by Galbally et al. (2012).
 */
import type { Target } from './letters.ts';

/** A trajectory sampled evenly in time: x0, y0, x1, y1, … y upwards. */
export type Path = number[];

export interface Movement {
  /** Share of a stroke's duration after which the next begins: small values round the corners off. */
  overlap: number;
  /** Spread of the log-normal, σ. */
  sigma: number;
}

const STEP = 0.012;

interface Pulse {
  start: number;
  mu: number;
  sigma: number;
  length: number;
  from: number;
  to: number;
}

/** Moves the pen through targets; the path ends exactly on the last one. */
export function movePen(targets: readonly Target[], movement: readonly Movement[]): Path {
  const pulses: Pulse[] = [];
  let start = 0;
  for (let i = 1; i < targets.length; i++) {
    const before = targets[i - 1]!;
    const target = targets[i]!;
    const { overlap, sigma } = movement[Math.min(i, movement.length - 1)]!;
    const chord = Math.hypot(target.x - before.x, target.y - before.y);
    const half = target.arc / 2;
    const length = Math.abs(half) < 1e-3 ? chord : (chord * half) / Math.sin(half);
    const heading = Math.atan2(target.y - before.y, target.x - before.x);
    // Longer strokes take longer, but not in proportion: isochrony.
    const duration = 0.25 + 0.12 * Math.sqrt(chord);
    pulses.push({
      start,
      mu: Math.log(duration * 0.45),
      sigma,
      length,
      from: heading - half,
      to: heading + half,
    });
    start += duration * overlap;
  }
  return integrate(targets[0]!, pulses, start + 0.9);
}

function integrate(first: Target, pulses: readonly Pulse[], until: number): Path {
  const path: Path = [first.x, first.y];
  let x = first.x;
  let y = first.y;
  const done = pulses.map(() => 0);
  for (let time = STEP; time <= until; time += STEP) {
    pulses.forEach((pulse, i) => {
      if (time <= pulse.start || done[i]! >= 1) return;
      const grown = logNormal((Math.log(time - pulse.start) - pulse.mu) / pulse.sigma);
      const share = grown > 0.997 ? 1 : grown;
      const step = share - done[i]!;
      const angle = pulse.from + (pulse.to - pulse.from) * (done[i]! + step / 2);
      x += step * pulse.length * Math.cos(angle);
      y += step * pulse.length * Math.sin(angle);
      done[i] = share;
    });
    path.push(x, y);
    if (done.every((share) => share >= 1)) break;
  }
  return path;
}

/** The normal distribution function (Abramowitz and Stegun 7.1.26). */
function logNormal(z: number): number {
  const u = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * u);
  const tail =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - tail * Math.exp(-u * u);
  return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}
