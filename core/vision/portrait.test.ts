import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Point } from '../contracts/faces.ts';
import { PORTRAIT_COMPONENTS, type PortraitComponent } from '../contracts/portrait.ts';
import { ImageView } from './imageView.ts';
import type { MeshedFace } from './mesh.ts';
import { portraitComponents, qualityComponent } from './portrait.ts';
import { createRaster } from './raster.ts';

/**
 * Native values and quality components of the conformance photos b-01 to r-09, as published with the reference implementation
 * (BSI-OFIQ/OFIQ-Project, data/tests/expected_results/expected_results.csv; its "upward crop" is the margin below). The
 * photos themselves are not public. ISO/IEC 29794-5, Annex A allows a difference of 1.
 */
const PUBLISHED: Readonly<Record<PortraitComponent, readonly (readonly [native: number, value: number])[]>> =
  {
    illuminationUniformity: [
      [0.148789, 56],
      [0.510381, 82],
      [0.009796, 25],
    ],
    luminanceMean: [
      [0.296339, 87],
      [0.189643, 45],
      [0.103973, 13],
      [0.498524, 100],
    ],
    luminanceVariance: [
      [0.014962, 100],
      [0.039975, 80],
      [0.067844, 58],
    ],
    underExposurePrevention: [
      [0.049128, 100],
      [0.35196, 100],
    ],
    overExposurePrevention: [[0.000043, 100]],
    dynamicRange: [
      [6.912061, 86],
      [5.560847, 70],
    ],
    naturalColour: [
      [0, 100],
      [3.299769, 84],
      [4.809711, 76],
      [100, 0],
    ],
    singleFacePresent: [
      [0, 100],
      [0.720493, 28],
      [0.743829, 26],
    ],
    eyesOpen: [
      [0.023125, 58],
      [0.050498, 95],
      [0.07022, 99],
    ],
    mouthClosed: [
      [0.083904, 87],
      [0.065307, 90],
      [0.002205, 96],
    ],
    interEyeDistance: [[352.585483, 100]],
    headSize: [
      [0.224977, 2],
      [0.257293, 4],
      [0.134832, 0],
    ],
    leftwardCrop: [[2.561339, 100]],
    rightwardCrop: [[3.112223, 100]],
    marginAbove: [
      [1.545541, 81],
      [1.742159, 97],
    ],
    marginBelow: [
      [2.02181, 90],
      [1.749557, 38],
      [1.726251, 32],
    ],
    headPoseYaw: [[7.966364, 98]],
    headPosePitch: [
      [-16.617661, 92],
      [-8.573003, 98],
    ],
    headPoseRoll: [
      [-16.291553, 92],
      [27.373343, 79],
    ],
  };

test('each quality component is the published one, within 1, of the same native value', () => {
  for (const component of PORTRAIT_COMPONENTS)
    for (const [native, value] of PUBLISHED[component]) {
      const ours = qualityComponent(component, native);
      assert.ok(Math.abs(ours - value) <= 1, `${component} of ${native}: ${ours}, published ${value}`);
    }
});

const SIZE = 600;
const PLACES: Readonly<Record<number, Point>> = {
  33: { x: 220, y: 200 },
  133: { x: 280, y: 200 },
  362: { x: 320, y: 200 },
  263: { x: 380, y: 200 },
  4: { x: 300, y: 260 },
  61: { x: 260, y: 320 },
  291: { x: 340, y: 320 },
  13: { x: 300, y: 318 },
  14: { x: 300, y: 322 },
  152: { x: 300, y: 400 },
  159: { x: 250, y: 190 },
  145: { x: 250, y: 210 },
  386: { x: 350, y: 195 },
  374: { x: 350, y: 205 },
  127: { x: 180, y: 190 },
  356: { x: 420, y: 190 },
};

/** A face whose other points all lie on the middle of the eyes. */
function faceOf(yaw = 0): MeshedFace {
  const points = Array.from({ length: 468 }, (_, i) => PLACES[i] ?? { x: 300, y: 200 });
  const box = { x: 180, y: 150, width: 240, height: 250 };
  return { flag: 1, points, eyes: [PLACES[33]!, PLACES[263]!], box, pose: { yaw, pitch: 0, roll: 0 } };
}

function checksOf(colour: (x: number) => readonly [number, number, number], others: MeshedFace[] = []) {
  const raster = createRaster(SIZE, SIZE);
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++) raster.data.set(colour(pixel % SIZE), 3 * pixel);
  const face = faceOf();
  const checks = portraitComponents(
    new ImageView(raster),
    { width: SIZE, height: SIZE, format: 'png' },
    face,
    [face, ...others],
  );
  return new Map(checks.map(({ component, native }) => [component, Number(native.toFixed(3)) + 0]));
}

test('native values follow from the places of a face and the pixels of its region', () => {
  const skin = checksOf(() => [200, 150, 130]);
  const expected: Partial<Record<PortraitComponent, number>> = {
    // Eyes at x 250 and 350, their middle 200 from the chin and from the upper edge.
    ...{ interEyeDistance: 100, leftwardCrop: 3.5, rightwardCrop: 3.5, marginAbove: 1, marginBelow: 2 },
    ...{ headSize: 0.333, eyesOpen: 0.05, mouthClosed: 0.02, singleFacePresent: 0 },
    // One colour everywhere: no variance, one level, the same on both cheeks.
    ...{ luminanceVariance: 0, dynamicRange: 0, illuminationUniformity: 1, naturalColour: 0 },
    luminanceMean: 0.357,
  };
  for (const [component, native] of Object.entries(expected))
    assert.equal(skin.get(component as PortraitComponent), native, component);
  // Light from one side alone, a blue face, black and white, and a second face of a quarter of the area.
  assert.equal(checksOf((x) => (x < 300 ? [90, 70, 60] : [220, 180, 160])).get('illuminationUniformity'), 0);
  assert.equal(checksOf(() => [60, 90, 220]).get('naturalColour'), 100);
  assert.equal(checksOf(() => [0, 0, 0]).get('underExposurePrevention'), 1);
  assert.equal(checksOf(() => [255, 255, 255]).get('overExposurePrevention'), 1);
  const small = { ...faceOf(), box: { x: 0, y: 0, width: 120, height: 125 } };
  assert.equal(checksOf(() => [200, 150, 130], [small]).get('singleFacePresent'), 0.5);
});
