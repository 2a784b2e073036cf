/** Photos with one hidden head beside a clear face, and photos of one person, composed from photos of LFW. Seeded. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import sharp from 'sharp';
import type { Box } from '../../core/contracts/faces.ts';
import { openImage, restrictDecoder } from '../../core/vision/decode.ts';
import type { Raster } from '../../core/vision/raster.ts';
import { dataPath } from '../data.ts';
import { onSheet, resized, type Colour, type Placed, type Portrait } from '../desk/people.ts';
import { createFaceFinder } from '../vision/faceFinder.ts';
import { drawnPictures, listPictures } from '../vision/pictures.ts';
import { ALL_COVERS } from './covers.ts';

/** A photo with its confirmed faces, largest first. */
export interface Person extends Portrait {
  box: Box;
}

export interface Head extends Box {
  isHidden: boolean;
}

export interface Scene {
  bytes: Buffer;
  heads: readonly Head[];
}

export interface Sources {
  /** Photos of one person. */
  alone: readonly Person[];
  /** Photos of several: the same photo once for each face of it. */
  groups: readonly (readonly Person[])[];
  /** Pictures without people. */
  empty: readonly Raster[];
}

/** Composes photos; each draws its kind, its people and its places. */
export class SceneMaker {
  readonly #sources: Sources;
  readonly #random: () => number;

  constructor(sources: Sources, random: () => number) {
    this.#sources = sources;
    this.#random = random;
  }

  #between(low: number, high: number): number {
    return low + (high - low) * this.#random();
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #person(scale: number): Promise<Person> {
    return resizedPerson(this.#pick(this.#sources.alone), scale);
  }

  async #covered(person: Person, cover: string): Promise<Person> {
    const raster = await ALL_COVERS[cover]!(person, this.#pick(this.#sources.alone).raster, this.#random);
    return { ...person, raster };
  }

  #tone(): Colour {
    const tone = this.#between(40, 220);
    return [tone, tone, 0.95 * tone];
  }

  #colour(): Colour {
    return [255 * this.#random(), 255 * this.#random(), 255 * this.#random()];
  }

  /** A hidden head beside a clear face: two photos side by side, one pasted before or behind the other, or a group photo. */
  async hidden(cover: string): Promise<Scene> {
    const kind = this.#random();
    if (kind < 0.6) return this.#beside(cover, kind < 0.45);
    if (kind < 0.85 || this.#sources.groups.length === 0) return this.#overlapping(cover);
    const group = this.#pick(this.#sources.groups);
    const hidden = Math.min(group.length - 1, this.#random() < 0.7 ? 0 : 1);
    const { raster } = await this.#covered(group[hidden]!, cover);
    const bytes = await onSheet({ ...raster, colour: [0, 0, 0] }, [
      { portrait: { ...group[0]!, raster }, left: 0, top: 0 },
    ]);
    return { bytes, heads: group.map(({ box }, i) => ({ ...box, isHidden: i === hidden })) };
  }

  async #beside(cover: string, isLarger: boolean): Promise<Scene> {
    const [larger, smaller] = [this.#between(1.1, 1.6), this.#between(0.6, 1)];
    const hidden = await this.#covered(await this.#person(isLarger ? larger : smaller), cover);
    const clear = await this.#person(isLarger ? smaller : larger);
    const pair = this.#random() < 0.5 ? [hidden, clear] : [clear, hidden];
    const height = Math.max(...pair.map(({ raster }) => raster.height));
    let left = 0;
    const placed = pair.map((portrait) => {
      const room = height - portrait.raster.height;
      const place = { portrait, left, top: this.#random() < 0.8 ? room : room * this.#random() };
      left += portrait.raster.width;
      return place;
    });
    return sceneOf({ width: left, height, colour: this.#tone() }, placed, hidden);
  }

  async #overlapping(cover: string): Promise<Scene> {
    for (;;) {
      const hidden = await this.#covered(await this.#person(this.#between(0.7, 1.7)), cover);
      const clear = await this.#person(this.#between(0.7, 1.3));
      const width = Math.round(clear.raster.width * this.#between(1.3, 1.9));
      const height = clear.raster.height;
      const isRight = this.#random() < 0.5;
      const across = hidden.raster.width;
      const left = isRight ? width - across * this.#between(0.55, 0.8) : -across * this.#between(0.2, 0.45);
      const top = height - hidden.raster.height + across * this.#between(-0.1, 0.25);
      const isBehind = this.#random() < 0.4;
      const over: Placed & { portrait: Person } = {
        portrait: hidden,
        left,
        top,
        opacity: silhouette(hidden),
      };
      const beside: Placed & { portrait: Person } = {
        portrait: clear,
        left: isRight ? 0 : width - clear.raster.width,
        top: 0,
      };
      if (isBehind) beside.opacity = silhouette(clear);
      const x = left + hidden.box.x + hidden.box.width / 2;
      const distance = Math.abs(x - (beside.left + clear.box.x + clear.box.width / 2));
      const reach = 0.55 * (hidden.box.width + clear.box.width);
      if (distance < reach || x < 0.2 * hidden.box.width || x > width - 0.2 * hidden.box.width) continue;
      const behind = await this.#withoutPeople(width, height);
      const backdrop = { portrait: { ...clear, raster: behind }, left: 0, top: 0 };
      const people = isBehind ? [over, beside] : [beside, over];
      return sceneOf({ width, height, colour: [0, 0, 0] }, people, hidden, [backdrop]);
    }
  }

  /** One person: the photo enlarged or reduced, on a sheet, cut, or beside something that is no person. */
  async single(): Promise<Scene> {
    const person = await this.#person(this.#between(0.6, 1.6));
    const { raster, box } = person;
    const kind = this.#random();
    if (kind < 0.25)
      return sceneOf({ ...raster, colour: [0, 0, 0] }, [{ portrait: person, left: 0, top: 0 }]);
    if (kind < 0.4) {
      const [width, height] = [raster.width, raster.height].map((side) =>
        Math.round(side * 2 ** this.#between(0.05, 2.5)),
      ) as [number, number];
      const left = this.#random() * (width - raster.width);
      const top = this.#random() * (height - raster.height);
      const colour = this.#random() < 0.5 ? ([245, 245, 245] as const) : this.#colour();
      return sceneOf({ width, height, colour }, [{ portrait: person, left, top }]);
    }
    if (kind < 0.6) {
      const [left, top] = [
        this.#random() * (box.x - 0.15 * box.width),
        this.#random() * (box.y - 0.2 * box.height),
      ];
      const room = (from: number, length: number, whole: number) =>
        from + 1.15 * length + this.#random() * Math.max(0, whole - from - 1.15 * length);
      const sheet = {
        width: Math.round(Math.min(raster.width, room(box.x, box.width, raster.width)) - Math.max(0, left)),
        height: Math.round(
          Math.min(raster.height, room(box.y, box.height, raster.height)) - Math.max(0, top),
        ),
      };
      const place = { portrait: person, left: -Math.max(0, left), top: -Math.max(0, top) };
      return sceneOf({ ...sheet, colour: [0, 0, 0] }, [place]);
    }
    const height = Math.round(raster.height * this.#between(0.6, 1.3));
    const beside = await this.#distraction(Math.round(height * this.#between(0.5, 1.2)), height);
    const tallest = Math.max(height, raster.height);
    const isFirst = this.#random() < 0.5;
    return sceneOf(
      { width: raster.width + beside.width, height: tallest, colour: this.#tone() },
      [{ portrait: person, left: isFirst ? 0 : beside.width, top: tallest - raster.height }],
      undefined,
      [{ portrait: { ...person, raster: beside }, left: isFirst ? raster.width : 0, top: tallest - height }],
    );
  }

  /** A picture without people, mostly with a patch of what hides heads: paint alone is no head. */
  async #distraction(width: number, height: number): Promise<Raster> {
    const raster = await this.#withoutPeople(width, height);
    if (this.#random() < 0.4) return raster;
    const unit = this.#between(0.08, 0.22) * width;
    const [x, y] = [this.#between(0.2, 0.8) * width, this.#between(0.2, 0.8) * height];
    const eyes = [
      { x: x - unit / 2, y },
      { x: x + unit / 2, y },
    ] as const;
    const cover = this.#pick(Object.keys(ALL_COVERS));
    const box = { x: x - unit, y: y - unit, width: 2.1 * unit, height: 2.4 * unit };
    return (await this.#covered({ name: '', raster, eyes, width: box.width, box }, cover)).raster;
  }

  /** A drawing, or a part of a photo beside or below the head. */
  async #withoutPeople(width: number, height: number): Promise<Raster> {
    const { raster, box } = this.#pick(this.#sources.alone);
    const right = box.x + 1.35 * box.width;
    const below = box.y + 1.25 * box.height;
    const parts = [
      { left: 0, top: 0, width: box.x - 0.35 * box.width, height: raster.height },
      { left: right, top: 0, width: raster.width - right, height: raster.height },
      { left: 0, top: below, width: raster.width, height: raster.height - below },
    ].filter((part) => part.width > 25 && part.height > 25);
    const part = this.#random() < 0.7 ? this.#pick(parts) : undefined;
    if (part === undefined) return cut(this.#pick(this.#sources.empty), undefined, width, height);
    return cut(raster, part, width, height);
  }
}

async function resizedPerson(person: Person, scale: number): Promise<Person> {
  const { x, y, width, height } = person.box;
  const box = { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  return { ...(await resized(person, scale)), box };
}

interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

async function cut(raster: Raster, part: Part | undefined, width: number, height: number): Promise<Raster> {
  const picture = sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } });
  if (part !== undefined)
    picture.extract({
      left: Math.ceil(part.left),
      top: Math.ceil(part.top),
      width: Math.floor(part.width) - 1,
      height: Math.floor(part.height) - 1,
    });
  const data = await picture.resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { width, height, data: new Uint8Array(data) };
}

/** @param behind pictures without heads, below the people */
async function sceneOf(
  sheet: { width: number; height: number; colour: Colour },
  placed: readonly (Placed & { portrait: Person })[],
  hidden?: Person,
  behind: readonly Placed[] = [],
): Promise<Scene> {
  const heads = placed.map(({ portrait: person, left, top }) => ({
    ...person.box,
    x: person.box.x + left,
    y: person.box.y + top,
    isHidden: person === hidden,
  }));
  return { bytes: await onSheet(sheet, [...behind, ...placed]), heads };
}

/**
 * Photos of LFW that show one person or several, and drawings. A photo in which the weights in use find a second head is
 * neither: most of these show one.
 * @param isTaken whether the photos of a person of this name are used
 */
export async function readSources(isTaken: (name: string) => boolean): Promise<Sources> {
  const drawn: Raster[] = [];
  // Before the decoder is restricted: the drawings are SVG.
  const drawings = await drawnPictures(60);
  restrictDecoder();
  for (const { bytes } of drawings) drawn.push((await (await openImage(bytes)).overview()).raster);
  const finder = await createFaceFinder();
  const alone: Person[] = [];
  const groups: Person[][] = [];
  for (const file of await listPictures(dataPath('faces', 'lfw'))) {
    const name = basename(dirname(file));
    if (!isTaken(name)) continue;
    const { view, faces, unclear } = await finder.look(await readFile(file));
    const people = faces.map(({ eyes, box }) => ({ name, raster: view.raster, eyes, width: box.width, box }));
    const [main, second] = people;
    if (main === undefined) continue;
    if (second === undefined && unclear.length === 0) alone.push(main);
    else if (second !== undefined && second.width * 3 >= main.width) groups.push(people);
  }
  return { alone, groups, empty: drawn };
}

/** Head and shoulders with a soft edge. */
function silhouette({ eyes: [left, right] }: Portrait): (x: number, y: number) => number {
  const unit = Math.hypot(right.x - left.x, right.y - left.y);
  return (x, y) => {
    const u = (x - (left.x + right.x) / 2) / unit;
    const v = (y - (left.y + right.y) / 2) / unit;
    const head = (1 - Math.hypot(u / 1.55, (v - 0.25) / 2.05)) / 0.15;
    const width = 1.2 + 1.6 * Math.min(1, (v - 1.6) / 0.9);
    const shoulders = v > 1.6 ? Math.min((v - 1.6) / 0.5, (width - Math.abs(u)) / 0.3) : 0;
    return Math.min(1, Math.max(0, head, shoulders));
  };
}
