/** Sample portraits, cut in the browser from pictures of packages that the dashboard is built with, and their enrolment. */
import sample1 from '@vladmandic/face-api/demo/sample1.jpg';
import sample2 from '@vladmandic/face-api/demo/sample2.jpg';
import sample3 from '@vladmandic/face-api/demo/sample3.jpg';
import sample4 from '@vladmandic/face-api/demo/sample4.jpg';
import sample5 from '@vladmandic/face-api/demo/sample5.jpg';
import sample6 from '@vladmandic/face-api/demo/sample6.jpg';
import man from '../../../node_modules/@vladmandic/human/assets/screenshot-facematch.jpg';
import { UPLOAD_STATUS } from '../../../core/contracts/codes.ts';
import { blacklistApi } from '../../../core/contracts/dashboard/blacklists.ts';
import type { Permission } from '../../../core/contracts/dashboard/permissions.ts';
import { validationApi } from '../../../core/contracts/dashboard/validations.ts';
import { workApi } from '../../../core/contracts/dashboard/work.ts';
import type { PhotoPerson } from '../../../core/contracts/uploads.ts';
import { flowApi } from '../../../core/contracts/flows.ts';
import { createBlacklist } from '../../api/blacklists.ts';
import { ask } from '../../api/client.ts';
import { photoUriOf } from '../../components/readableImage.ts';
import { loadUpload, sendBatch, type EnrolTarget } from '../../api/enrolment.ts';
import { GROUP_FACES, MARGIN, type FaceBox } from './groupFaces.ts';

const GROUPS = [
  { url: sample1, faces: GROUP_FACES.sample1 },
  { url: sample2, faces: GROUP_FACES.sample2 },
  { url: sample3, faces: GROUP_FACES.sample3 },
  { url: sample4, faces: GROUP_FACES.sample4 },
  { url: sample5, faces: GROUP_FACES.sample5 },
  { url: sample6, faces: GROUP_FACES.sample6 },
] as const;

const JPEG_QUALITY = 0.92;

/** Photos of one man in a row of a picture, each of another day: the columns, and the row without the texts on it, pixels. */
const MAN = {
  width: 1920 / 18,
  top: 295,
  height: 84,
  inset: 2,
  person: [0, 3, 6],
  again: 15,
  listed: 5,
  visit: 10,
};

/** Photos with one external id are of one person. */
const DEMO_MAN: PhotoPerson = { name: 'Demo man', externalId: 'DEMO-1' };

interface DemoPhoto {
  file: File;
  name: string;
  person?: PhotoPerson;
}

/** The photos to enrol, the one for the blacklist, and the one of a visit. The names in other scripts mean "example". */
async function cutDemoPhotos(): Promise<{ enrolled: DemoPhoto[]; listed: DemoPhoto; visit: DemoPhoto }> {
  const groups = await Promise.all(
    GROUPS.map(async ({ url, faces }, group) =>
      cutAll(
        url,
        faces.map((box, face) => ({
          area: around(box),
          name: `${['مثال', 'नमूना'][group - 4] ?? 'Demo'} ${group + 1}-${face + 1}.jpg`,
        })),
      ),
    ),
  );
  const column = (index: number, name: string) => {
    const { width, top, height, inset } = MAN;
    const area: FaceBox = [index * width + inset, top, width - 2 * inset, height];
    return { area, name };
  };
  const names = MAN.person.map((index, photo) => column(index, `Demo man ${photo + 1}.jpg`));
  const others = [
    column(MAN.again, 'Пример.jpg'),
    column(MAN.listed, 'Demo man.jpg'),
    column(MAN.visit, 'Demo visitor.jpg'),
  ];
  const photos = await cutAll(man, [...names, ...others]);
  const [again, listed, visit] = photos.slice(names.length);
  if (again === undefined || listed === undefined || visit === undefined)
    throw new Error('A demo photo is missing.');
  const person = photos.slice(0, names.length).map((photo) => ({ ...photo, person: DEMO_MAN }));
  return { enrolled: [...groups.flat(), ...person, again], listed, visit };
}

async function cutAll(url: string, parts: readonly { area: FaceBox; name: string }[]): Promise<DemoPhoto[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const image = await createImageBitmap(await response.blob());
  try {
    return await Promise.all(parts.map(async ({ area, name }) => cut(image, area, name)));
  } finally {
    image.close();
  }
}

function around([x, y, width, height]: FaceBox): FaceBox {
  const margin = width * MARGIN;
  return [x - margin, y - margin, width + 2 * margin, height + 2 * margin];
}

async function cut(image: ImageBitmap, [x, y, width, height]: FaceBox, name: string) {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(Math.min(image.width, x + width) - left);
  canvas.height = Math.round(Math.min(image.height, y + height) - top);
  const size = [canvas.width, canvas.height] as const;
  canvas.getContext('2d')?.drawImage(image, left, top, ...size, 0, 0, ...size);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
  if (blob === null) throw new Error(`${name} cannot be encoded.`);
  return { file: new File([blob], name, { type: 'image/jpeg' }), name };
}

const LIST = 'Demo blacklist';
const FLOW = 'Demo Trust Flow';
/** How often, and how many times, the queue is asked whether the demo photos are enrolled; milliseconds. */
const WAIT = { every: 500, times: 120 };

/**
 * Enrols the demo photos. For a role that may do all of it, a person has three photos, the same man is enrolled again under
 * another name, and a verification finds him on a demo blacklist. Removing the demo photos erases them and that verification.
 */
export async function loadDemo(may: (permission: Permission) => boolean): Promise<void> {
  const { enrolled, listed, visit } = await cutDemoPhotos();
  const named = may('persons:write');
  const uploads = await sendDemo({ kind: 'duplicate' }, enrolled, named);
  const needed = ['blacklists:write', 'flows:write', 'flows:read', 'verifications:create'] as const;
  if (!needed.every(may)) return;
  const lists = await ask(blacklistApi.list);
  const list =
    lists.items.find(({ name }) => name === LIST) ??
    (await createBlacklist({ name: LIST, description: null }));
  uploads.push(...(await sendDemo({ kind: 'blacklist', id: list.id, name: LIST }, [listed], false)));
  const settings = { blacklistDetection: { enabled: true, blacklistIds: [list.id] } };
  const flows = await ask(flowApi.list);
  const flow =
    flows.items.find(({ name, saved }) => name === FLOW && saved !== null) ??
    (await ask(flowApi.create, { body: { name: FLOW, settings } }));
  if (!(await areEnrolled(uploads.map(({ upload }) => upload)))) return;
  // With the id of the run as the id of its request, the verification is removed with the photos of the run.
  await ask(validationApi.verify, {
    query: { flow: flow.id, name: 'Demo visitor', reference: '' },
    body: { photos: [await photoUriOf(visit.file)] },
    idempotencyKey: uploads[0]?.run ?? crypto.randomUUID(),
  });
}

/** Sends photos as one run, in uploads of the size that the company allows. */
async function sendDemo(target: EnrolTarget, photos: readonly DemoPhoto[], named: boolean) {
  const { imagesPerUpload } = await ask(workApi.limits);
  const { signal } = new AbortController();
  const run = crypto.randomUUID();
  const sent: { run: string; upload: string }[] = [];
  for (let first = 0; first < photos.length; first += imagesPerUpload) {
    const batch = photos.slice(first, first + imagesPerUpload);
    const upload = await sendBatch(target, batch, crypto.randomUUID(), signal, {
      id: run,
      name: 'Demo photos',
      photos: photos.length,
      severalFaces: 'refuse',
      fixes: null,
      persons: named ? batch.map(({ person }) => person ?? null) : null,
      demo: true,
    });
    sent.push({ run, upload });
  }
  return sent;
}

/** @returns false: photos still wait after a minute, such as in a paused queue */
async function areEnrolled(uploads: readonly string[]): Promise<boolean> {
  for (let time = 0; time < WAIT.times; time++) {
    const states = await Promise.all(uploads.map(loadUpload));
    if (states.every(({ status }) => status !== UPLOAD_STATUS.Processing)) return true;
    await new Promise((done) => setTimeout(done, WAIT.every));
  }
  return false;
}
