import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QualityMeasures } from '../contracts/faces.ts';
import { qualityThresholds } from '../contracts/settings.ts';
import { refusal } from './quality.ts';

const GATE = qualityThresholds.parse({});

const GOOD: QualityMeasures = {
  interEyeDistance: 60,
  faceWidth: 130,
  yaw: 5,
  pitch: -3,
  roll: 2,
  sharpness: 0.5,
  grain: 0.5,
  brightness: 0.5,
  underexposed: 0,
  overexposed: 0,
  borderDistance: 0.4,
  inFrame: 1,
  eyesCovered: 0.01,
  mouthCovered: 0.02,
  quantisation: 12,
};

test('a good photo passes', () => {
  assert.equal(refusal(GOOD, GATE), undefined);
});

test('each measure beyond its threshold is refused with its own reason', () => {
  const bad: [Partial<QualityMeasures>, string][] = [
    [{ interEyeDistance: 15 }, 'FACE_TOO_SMALL'],
    [{ brightness: 0.05 }, 'TOO_DARK'],
    [{ brightness: 0.97 }, 'TOO_BRIGHT'],
    [{ yaw: -70 }, 'EXTREME_POSE'],
    [{ pitch: 60 }, 'EXTREME_POSE'],
    [{ sharpness: 0.15 }, 'LOW_SHARPNESS'],
    [{ eyesCovered: 0.97 }, 'FACE_OBSCURED'],
    [{ mouthCovered: 0.97 }, 'FACE_OBSCURED'],
    [{ inFrame: 0.6 }, 'FACE_CROPPED'],
    [{ borderDistance: -0.4 }, 'NEAR_BORDER'],
  ];
  for (const [measures, code] of bad) assert.equal(refusal({ ...GOOD, ...measures }, GATE), code);
});

test('a leaning head is refused only where the site asks for it', () => {
  assert.equal(refusal({ ...GOOD, roll: -90 }, GATE), undefined);
  assert.equal(refusal({ ...GOOD, roll: -90 }, { ...GATE, maxRoll: 45 }), 'EXTREME_POSE');
});
