/** Faces that are taken in one step: as many as an operator can look through, and the rest of the last sheet. */
export const MAX_FACES = 200;

/** Photos that are taken in one step: each is decoded once for each of its faces. */
export const MAX_SHEETS = 50;

/** How many of these photos one step takes, the first ones. @param faces that are taken of each */
export function photosOfOneStep(faces: readonly number[]): number {
  let [photos, taken] = [0, 0];
  for (const each of faces) {
    // One face of each photo needs no second bound.
    if (taken >= MAX_FACES || (taken > photos && photos >= MAX_SHEETS)) break;
    photos += 1;
    taken += each;
  }
  return photos;
}
