/** Pictures of people that differ by a number, for tests that need no recognition engine. */
import { ScriptedVision } from './fakes.ts';
import type { ExtractedFace } from '../../core/contracts/faces.ts';
import { faceAlong } from './site.ts';

/** More people than any test has. */
const PEOPLE = 32;
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);

/** A "photo" of a person; two with different `shot` differ in their bytes, not in their face. */
export function photoOf(person: number, shot: number | string = 0): Buffer {
  return Buffer.concat([JPEG_START, Buffer.from(`person ${person} shot ${shot}`)]);
}

/** A "photo" of a person that looks a little like another one: 30 degrees from the template of the person. */
export function photoLike(person: number, other: number): Buffer {
  return photoOf(person, `0 like ${other}`);
}

/** A "photo" that shows a person more than once, as an identity card with a ghost portrait does. */
export function photoTwiceOf(person: number): Buffer {
  return Buffer.concat([photoOf(person), Buffer.from(' twice')]);
}

/** Begins like a JPEG and shows no face. */
export const NOBODY = Buffer.concat([JPEG_START, Buffer.from('nobody at all')]);

const TWICE = {
  width: 100,
  height: 100,
  boxes: [
    { x: 10, y: 10, width: 40, height: 40 },
    { x: 60, y: 60, width: 20, height: 20 },
  ],
  unclear: [],
  onePerson: true,
};

/** Sees the person of {@link photoOf}; anything else has no face. */
export function visionOfPeople(): ScriptedVision {
  return new ScriptedVision((image) => {
    const person = /person (\d+)/.exec(image)?.[1];
    return person === undefined
      ? { kind: 'refused', code: 'NO_FACE' }
      : {
          kind: 'face',
          image: { width: 100, height: 100, format: 'jpeg' },
          face: faceOf(Number(person), / like (\d+)/.exec(image)?.[1]),
          ...(image.endsWith('twice') && { found: TWICE }),
        };
  }, PEOPLE);
}

function faceOf(person: number, other: string | undefined): ExtractedFace {
  const face = faceAlong(person, PEOPLE);
  if (other === undefined) return face;
  const along = faceAlong(Number(other), PEOPLE).template.vector;
  const vector = face.template.vector.map((share, i) => (Math.sqrt(3) * share + along[i]!) / 2);
  return { ...face, template: { ...face.template, vector } };
}
