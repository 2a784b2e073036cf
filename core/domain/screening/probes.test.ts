import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted, type PipelineId } from '../../contracts/ids.ts';
import { CALIBRATIONS } from '../../vision/calibration.ts';
import { distanceAtFmr, distanceOf } from '../scores/scores.ts';
import { photosOf, probesOf, showSamePerson, wideningOf, type Probe } from './probes.ts';

const { full: calibration } = CALIBRATIONS;
const pipelineId = 'test' as PipelineId;

/** @param turned the template within its plane, by the distance from the first axis @param axis of the other direction */
function selfie(id: number, turned: number, axis = 1): Probe {
  const angle = 2 * Math.asin(turned / 2);
  const vector = new Float32Array(4);
  vector[0] = Math.cos(angle);
  vector[axis] = Math.sin(angle);
  return { faceId: trusted.face(id), template: { pipelineId, vector } };
}
const templatesOf = (selfies: readonly Probe[]) => selfies.map(({ template }) => template);
const near = distanceAtFmr(calibration, 1e-3);

test('selfies of one person are one probe, their average at unit length', () => {
  const selfies = [selfie(1, near / 3, 1), selfie(2, near / 3, 2), selfie(3, near / 3, 3)];
  const [probe, further] = probesOf(calibration, selfies);
  assert.ok(probe);
  assert.equal(further, undefined);
  assert.deepEqual([probe.faceId, photosOf(probe), wideningOf(probe) > 1], [3, 3, true]);
  const { vector } = probe.template;
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  const person = selfie(9, 0).template.vector;
  for (const { template } of selfies)
    assert.ok(distanceOf(person, vector) < distanceOf(person, template.vector), 'nearer than each photo');
});

test('one selfie stays as it is', () => {
  const one = [selfie(1, near)];
  assert.deepEqual(probesOf(calibration, one), one);
  assert.equal(wideningOf(one[0]!), 1);
  assert.deepEqual(probesOf(calibration, []), []);
});

test('a selfie of somebody else stays apart, wherever it comes', () => {
  const other = selfie(7, Math.SQRT2, 1);
  for (const at of [0, 1, 2]) {
    const selfies = [selfie(1, 0), selfie(2, near / 2, 2)].toSpliced(at, 0, other);
    assert.equal(showSamePerson(calibration, templatesOf(selfies)).indexOf(false), at);
    const probes = probesOf(calibration, selfies);
    assert.deepEqual(
      probes.map((probe) => [probe.faceId, photosOf(probe)]),
      [
        [7, 1],
        [2, 2],
      ],
    );
  }
});

test('of two people with one selfie each, the last is the person', () => {
  const selfies = [selfie(1, Math.SQRT2), selfie(2, 0)];
  assert.deepEqual(showSamePerson(calibration, templatesOf(selfies)), [false, true]);
  assert.deepEqual(probesOf(calibration, selfies), selfies);
});
