/** Sample portraits, cut in the browser from group photos of a package that the dashboard is built with. */
import sample1 from '@vladmandic/face-api/demo/sample1.jpg';
import sample2 from '@vladmandic/face-api/demo/sample2.jpg';
import sample3 from '@vladmandic/face-api/demo/sample3.jpg';
import sample4 from '@vladmandic/face-api/demo/sample4.jpg';
import sample5 from '@vladmandic/face-api/demo/sample5.jpg';
import sample6 from '@vladmandic/face-api/demo/sample6.jpg';

type FaceBox = readonly [x: number, y: number, width: number, height: number];

/** The face boxes of each photo, pixels, as the detector of the product found them. */
const GROUPS: readonly { url: string; faces: readonly FaceBox[] }[] = [
  {
    url: sample1,
    faces: [
      [1467, 227, 209, 206],
      [832, 446, 204, 203],
      [420, 388, 180, 210],
    ],
  },
  {
    url: sample2,
    faces: [
      [1440, 183, 212, 208],
      [897, 276, 176, 175],
      [364, 175, 170, 247],
    ],
  },
  {
    url: sample3,
    faces: [
      [1071, 241, 231, 262],
      [1472, 323, 221, 248],
      [593, 354, 209, 246],
    ],
  },
  {
    url: sample4,
    faces: [
      [659, 86, 188, 214],
      [238, 221, 184, 218],
      [984, 214, 176, 200],
      [1277, 174, 168, 198],
    ],
  },
  {
    url: sample5,
    faces: [
      [359, 896, 234, 273],
      [1405, 416, 215, 246],
      [1111, 224, 180, 216],
      [590, 444, 178, 223],
      [776, 127, 173, 206],
    ],
  },
  {
    url: sample6,
    faces: [
      [246, 515, 223, 244],
      [1481, 294, 220, 262],
      [669, 364, 217, 259],
      [1169, 351, 203, 226],
    ],
  },
];

/** A portrait is cut with this much around the face box, in face widths. */
const MARGIN = 0.55;
const JPEG_QUALITY = 0.92;

/** @returns about twenty portraits as JPEG files */
export async function cutDemoPhotos(): Promise<{ file: File; name: string }[]> {
  const groups = await Promise.all(
    GROUPS.map(async ({ url, faces }, group) => {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      const image = await createImageBitmap(await response.blob());
      try {
        return await Promise.all(
          faces.map((box, face) => cut(image, box, `Demo ${group + 1}-${face + 1}.jpg`)),
        );
      } finally {
        image.close();
      }
    }),
  );
  return groups.flat();
}

async function cut(image: ImageBitmap, [x, y, width, height]: FaceBox, name: string) {
  const margin = width * MARGIN;
  const left = Math.max(0, x - margin);
  const top = Math.max(0, y - margin);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(Math.min(image.width, x + width + margin) - left);
  canvas.height = Math.round(Math.min(image.height, y + height + margin) - top);
  const size = [canvas.width, canvas.height] as const;
  canvas.getContext('2d')?.drawImage(image, left, top, ...size, 0, 0, ...size);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
  if (blob === null) throw new Error(`${name} cannot be encoded.`);
  return { file: new File([blob], name, { type: 'image/jpeg' }), name };
}
