/** Photos with one hidden head beside a clear face, and photos of one person, composed from photos of LFW. Seeded. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import sharp from 'sharp';
import type { Box } from '../../core/contracts/faces.ts';
import { openImage, restrictDecoder } from '../../core/vision/decode.ts';
import type { Raster } from '../../core/vision/raster.ts';
import { dataPath } from '../../bench/data.ts';
import { onSheet, resized, type Colour, type Placed, type Portrait } from '../../bench/desk/people.ts';
import { createFaceFinder } from '../../bench/vision/faceFinder.ts';
import { drawnPictures, listPictures, randomNumbers } from '../../bench/vision/pictures.ts';
import { ALL_COVERS, between, cloth, PATCHES } from './covers.ts';

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
  /** Printed cards and pages, without portraits. */
  cards: readonly Raster[];
}

/** So many of the composed photos of each kind are of pictures that lie apart on a sheet. */
const APART = 0.22;
/** So many of the scenes with a hidden head have one that the edge of the photo cuts off. */
const CUT_OFF = 0.12;

/** Composes photos; each draws its kind, its people and its places. */
export class SceneMaker {
  readonly #sources: Sources;
  readonly #random: () => number;

  constructor(sources: Sources, random: () => number) {
    this.#sources = sources;
    this.#random = random;
  }

  #between(low: number, high: number): number {
    return between(this.#random, low, high);
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #person(scale: number): Promise<Person> {
    return resizedPerson(this.#pick(this.#sources.alone), scale);
  }

  async #covered(person: Person, cover: string): Promise<Person> {
    const raster = await ALL_COVERS[cover]!(person, this.#pick(this.#sources.alone).raster, this.#random);
    if (this.#random() < 0.65) return { ...person, raster };
    return {
      ...person,
      raster: await softened(person.raster, raster, person.width * this.#between(0.01, 0.06)),
    };
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
    return this.#taken(await this.#composed(cover));
  }

  /** The scene as some camera or program leaves it. */
  async #taken({ bytes, heads }: Scene): Promise<Scene> {
    const kind = this.#random();
    if (kind < 0.5) return { bytes, heads };
    const picture = sharp(bytes);
    if (kind < 0.6) picture.grayscale().toColourspace('srgb');
    else if (kind < 0.7) picture.gamma(this.#between(1, 1.8));
    else if (kind < 0.8) {
      const [slope, shift] = [this.#between(0.6, 1.2), this.#between(-10, 45)];
      picture.linear(
        [slope, slope * this.#between(0.85, 1.1), slope * this.#between(0.8, 1.15)],
        [shift, shift, shift],
      );
    } else if (kind < 0.9) picture.blur(this.#between(0.4, 1.6));
    else picture.modulate({ saturation: this.#between(0.3, 1.6) });
    return { bytes: await picture.jpeg({ quality: Math.round(this.#between(35, 95)) }).toBuffer(), heads };
  }

  async #composed(cover: string): Promise<Scene> {
    if (this.#random() < CUT_OFF) return this.#cutOff(cover);
    if (this.#random() < APART) {
      const [larger, smaller] = [this.#between(1.1, 1.6), this.#between(0.6, 1)];
      const isLarger = this.#random() < 0.75;
      const hidden = await this.#covered(await this.#person(isLarger ? larger : smaller), cover);
      return this.#apart(hidden, await this.#person(isLarger ? smaller : larger), 'hidden');
    }
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

  /** A head of which the edge of the photo leaves a part, mostly without any cover, beside a clear face. */
  async #cutOff(cover: string): Promise<Scene> {
    const bare = await this.#person(this.#between(1, 2.2));
    const person = this.#random() < 0.2 ? await this.#covered(bare, cover) : bare;
    const clear = await this.#person(this.#between(0.6, 1.1));
    const { raster, box } = person;
    const outside = this.#between(0.25, 0.8);
    const edge = this.#pick(['left', 'right', 'above', 'below']);
    const [x, y] = [box.x + outside * box.width, box.y + outside * box.height];
    const sides = {
      width: Math.round(edge === 'right' ? box.x + (1 - outside) * box.width : raster.width),
      height: Math.round(edge === 'below' ? box.y + (1 - outside) * box.height : raster.height),
    };
    const [left, top] = [edge === 'left' ? -Math.round(x) : 0, edge === 'above' ? -Math.round(y) : 0];
    const across = sides.width + left;
    const height = Math.max(sides.height + top, clear.raster.height);
    const isFirst = edge === 'left' || (edge !== 'right' && this.#random() < 0.5);
    const width = across + clear.raster.width;
    const room = height - sides.height;
    const down = edge === 'above' ? top : edge === 'below' || this.#random() < 0.7 ? room : 0;
    return sceneOf(
      { width, height, colour: this.#tone() },
      [
        { portrait: person, left: isFirst ? left : clear.raster.width, top: down },
        { portrait: clear, left: isFirst ? across : 0, top: this.#random() * (height - clear.raster.height) },
      ],
      person,
    );
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
      if (distance < reach || x < 0 || x > width) continue;
      const behind = await this.#withoutPeople(width, height);
      const backdrop = { portrait: { ...clear, raster: behind }, left: 0, top: 0 };
      const people = isBehind ? [over, beside] : [beside, over];
      return sceneOf({ width, height, colour: [0, 0, 0] }, people, hidden, [backdrop]);
    }
  }

  /** A photo as it is, or its mirror image. */
  async asTaken(person: Person, isMirrored: boolean): Promise<Scene> {
    const { raster, box } = person;
    const { bytes, heads } = await sceneOf({ ...raster, colour: [0, 0, 0] }, [
      { portrait: person, left: 0, top: 0 },
    ]);
    if (!isMirrored) return { bytes, heads };
    const x = raster.width - box.x - box.width;
    return {
      bytes: await sharp(bytes).flop().jpeg({ quality: 95 }).toBuffer(),
      heads: [{ ...box, x, isHidden: false }],
    };
  }

  /** One person: the photo enlarged or reduced, on a sheet, cut, or beside something that is no person. */
  async single(): Promise<Scene> {
    return this.#taken(await this.#onePerson());
  }

  async #onePerson(): Promise<Scene> {
    const what = this.#random();
    if (what < 0.2) return this.#card();
    if (what < 0.3) return this.#strip();
    if (what < 0.3 + APART) {
      const clear = await this.#person(this.#between(0.6, 1.3));
      const height = Math.round(clear.raster.height * this.#between(0.6, 1.6));
      const width = Math.round(height * this.#between(0.6, 1.4));
      const raster =
        this.#random() < 0.65
          ? await this.#distraction(width, height)
          : await cut(this.#pick(this.#sources.cards), undefined, width, height);
      return this.#apart({ ...clear, raster }, clear, 'no head');
    }
    const bare = await this.#person(this.#between(0.6, 1.6));
    const person = this.#random() < 0.4 ? this.#withThings(bare) : bare;
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

  /** Two pictures apart on a sheet, one below or beside the other, each upright or askew. @param shows what the first one shows */
  async #apart(first: Person, clear: Person, shows: 'hidden' | 'no head'): Promise<Scene> {
    const tone = this.#random();
    const grey = tone < 0.4 ? 0 : 250;
    const colour = tone < 0.65 ? ([grey, grey, grey] as const) : tone < 0.85 ? this.#tone() : this.#colour();
    const [kind, turn] = [this.#random(), this.#between(-40, 40)];
    const askew = () =>
      kind < 0.35 ? 0 : kind < 0.5 ? turn : this.#random() < 0.4 ? 0 : this.#between(-40, 40);
    const one = await turnedPerson(first, askew(), colour);
    const two = await turnedPerson(clear, askew(), colour);
    const pair = this.#random() < 0.5 ? [one, two] : [two, one];
    const isBelow = this.#random() < 0.55;
    const gap = this.#random() < 0.3 ? 0 : Math.round(this.#between(0, 40));
    const along = (person: Person) => (isBelow ? person.raster.height : person.raster.width);
    const across = (person: Person) => (isBelow ? person.raster.width : person.raster.height);
    const [length, breadth] = [along(one) + along(two) + 3 * gap, Math.max(...pair.map(across)) + 2 * gap];
    let next = gap;
    const placed = pair.map((portrait) => {
      const [start, aside] = [next, gap + this.#random() * (breadth - 2 * gap - across(portrait))];
      next += along(portrait) + gap;
      return { portrait, left: isBelow ? aside : start, top: isBelow ? start : aside };
    });
    const sheet = { width: isBelow ? breadth : length, height: isBelow ? length : breadth, colour };
    if (shows === 'hidden') return sceneOf(sheet, placed, one);
    const isClear = ({ portrait }: { portrait: Person }) => portrait === two;
    return sceneOf(
      sheet,
      placed.filter(isClear),
      undefined,
      placed.filter((place) => !isClear(place)),
    );
  }

  /** A card or a page: the portrait beside what is printed there, sometimes with a second, pale print of it. */
  async #card(): Promise<Scene> {
    const sheet = this.#pick(this.#sources.cards);
    const [width, height] = [sheet.width, sheet.height].map((side) =>
      Math.round(side * this.#between(0.8, 1.3)),
    ) as [number, number];
    const behind = await cut(sheet, undefined, width, height);
    const portrait = croppedToHead(this.#pick(this.#sources.alone), this.#between(0.25, 0.6));
    const person = await resizedPerson(
      portrait,
      (height * this.#between(0.3, 0.75)) / portrait.raster.height,
    );
    const place = (one: Person) => ({
      left: this.#random() * (width - one.raster.width),
      top: this.#random() * (height - one.raster.height),
    });
    const placed: (Placed & { portrait: Person })[] = [{ portrait: person, ...place(person) }];
    if (this.#random() < 0.3) {
      const ghost = await resizedPerson(person, this.#between(0.35, 0.6));
      placed.unshift({
        portrait: ghost,
        ...place(ghost),
        opacity: this.#between(0.3, 0.9),
        round: this.#random() < 0.3,
      });
    }
    const backdrop = { portrait: { ...person, raster: behind }, left: 0, top: 0 };
    return sceneOf({ width, height, colour: [255, 255, 255] }, placed, undefined, [backdrop]);
  }

  /** Several prints of one photo. */
  async #strip(): Promise<Scene> {
    const portrait = croppedToHead(this.#pick(this.#sources.alone), this.#between(0.3, 0.8));
    const [columns, rows] = this.#pick([
      [1, 4],
      [1, 3],
      [2, 1],
      [2, 2],
      [3, 1],
      [1, 2],
    ]);
    const gap = this.#between(0, 0.15) * portrait.raster.width;
    const [across, down] = [portrait.raster.width + gap, portrait.raster.height + gap];
    const placed = Array.from({ length: columns * rows }, (_, i) => ({
      portrait,
      left: gap + across * (i % columns),
      top: gap + down * Math.floor(i / columns),
    }));
    const sheet = { width: Math.round(gap + across * columns), height: Math.round(gap + down * rows) };
    return sceneOf({ ...sheet, colour: this.#tone() }, placed);
  }

  /** Things beside the head and before the chest: cloth, hands, balls, paper, hair, posts. */
  #withThings(person: Person): Person {
    const { raster, box } = person;
    const data = new Uint8Array(raster.data);
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    for (let i = 0; i < 1 + 3 * this.#random(); i++) {
      const [x, y] = [this.#random() * raster.width, this.#random() * raster.height];
      const free = Math.hypot(x - middle.x, 0.85 * (y - middle.y)) - 0.75 * box.width;
      if (free < 0.1 * box.width) continue;
      const [across, down] = [this.#between(0.3, 1) * free, this.#between(0.3, 1) * free];
      const paint = cloth(this.#pick(this.#sources.alone).raster, box.width / 2.2, this.#random);
      const isRound = this.#random() < 0.5;
      for (let row = Math.max(0, Math.ceil(y - down)); row < Math.min(raster.height, y + down); row++)
        for (
          let column = Math.max(0, Math.ceil(x - across));
          column < Math.min(raster.width, x + across);
          column++
        )
          if (!isRound || Math.hypot((column - x) / across, (row - y) / down) < 1)
            data.set(paint(column, row), 3 * (row * raster.width + column));
    }
    return { ...person, raster: { ...raster, data } };
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
    const cover = this.#pick(PATCHES);
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

/** The photo turned clockwise, on a sheet of one colour. The eyes stay behind. */
async function turnedPerson(person: Person, degrees: number, [r, g, b]: Colour): Promise<Person> {
  if (degrees === 0) return person;
  const { raster, box } = person;
  const picture = sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } });
  const { data, info } = await picture
    .rotate(degrees, { background: { r, g, b } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [u, v] = [box.x + (box.width - raster.width) / 2, box.y + (box.height - raster.height) / 2];
  const x = width / 2 + u * cos - v * sin - box.width / 2;
  const y = height / 2 + u * sin + v * cos - box.height / 2;
  return { ...person, raster: { width, height, data: new Uint8Array(data) }, box: { ...box, x, y } };
}

/** Head and shoulders. @param margin beside the face, in its widths */
export function croppedToHead<P extends Person>(person: P, margin: number): P {
  const { raster, box, eyes } = person;
  const left = Math.max(0, Math.round(box.x - margin * box.width));
  const top = Math.max(0, Math.round(box.y - (margin + 0.15) * box.width));
  const width = Math.min(raster.width, Math.round(box.x + (1 + margin) * box.width)) - left;
  const height = Math.min(raster.height, Math.round(box.y + box.height + (margin + 0.1) * box.width)) - top;
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    const from = 3 * ((top + y) * raster.width + left);
    data.set(raster.data.subarray(from, from + 3 * width), 3 * y * width);
  }
  const moved = <T extends { x: number; y: number }>(place: T) => ({
    ...place,
    x: place.x - left,
    y: place.y - top,
  });
  return {
    ...person,
    raster: { width, height, data },
    eyes: [moved(eyes[0]), moved(eyes[1])],
    box: moved(box),
  };
}

/** A cover with a soft edge. */
async function softened(bare: Raster, covered: Raster, width: number): Promise<Raster> {
  const mask = new Uint8Array(bare.width * bare.height);
  for (let pixel = 0; pixel < mask.length; pixel++)
    if ([0, 1, 2].some((k) => bare.data[3 * pixel + k] !== covered.data[3 * pixel + k])) mask[pixel] = 255;
  const raw = { width: bare.width, height: bare.height, channels: 1 as const };
  const soft = await sharp(mask, { raw }).blur(Math.max(0.4, width)).extractChannel(0).raw().toBuffer();
  const data = covered.data.map((value, i) => {
    const share = soft[Math.floor(i / 3)]! / 255;
    return bare.data[i]! + share * (value - bare.data[i]!);
  });
  return { ...covered, data };
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

/** Drawings, and printed cards and pages. They are SVG, which the decoder is restricted from afterwards. */
export async function withoutPeople(): Promise<Pick<Sources, 'empty' | 'cards'>> {
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  const random = randomNumbers(17);
  const drawings = await drawnPictures(60);
  const cards = await Promise.all(
    Array.from({ length: 80 }, () =>
      sharp(Buffer.from(drawnCard(random)))
        .jpeg()
        .toBuffer(),
    ),
  );
  restrictDecoder();
  const rasterOf = async (bytes: Uint8Array) => (await (await openImage(bytes)).overview()).raster;
  return {
    empty: await Promise.all(drawings.map(({ bytes }) => rasterOf(bytes))),
    cards: await Promise.all(cards.map(rasterOf)),
  };
}

/** Text, seals, chips, codes, flags, buttons and pictograms on paper. */
function drawnCard(random: () => number): string {
  const [width, height] = random() < 0.5 ? [640, 404] : random() < 0.5 ? [420, 640] : [560, 560];
  const at = (low: number, high: number) => Math.round(between(random, low, high));
  const colour = (dark: number, light: number) =>
    `hsl(${at(0, 360)} ${at(0, 80)}% ${Math.round(between(random, dark, light))}%)`;
  const word = () => Array.from({ length: at(3, 11) }, () => String.fromCodePoint(at(65, 90))).join('');
  const shapes = [
    (x: number, y: number) =>
      Array.from(
        { length: at(2, 7) },
        (_, i) =>
          `<text x="${x}" y="${y + i * 22}" font-size="${at(10, 20)}" fill="${colour(0, 45)}">${word()} ${word()}</text>`,
      ).join(''),
    (x: number, y: number) => {
      const radius = at(25, 75);
      const rays = Array.from(
        { length: 12 },
        (_, i) =>
          `<path d="M0 0L${radius * Math.cos(i / 1.91)} ${radius * Math.sin(i / 1.91)}" stroke="${colour(10, 60)}"/>`,
      );
      return `<g transform="translate(${x} ${y})"><circle r="${radius}" fill="${colour(40, 95)}" stroke="${colour(10, 60)}" stroke-width="5"/><circle r="${0.7 * radius}" fill="${colour(40, 95)}"/>${rays.join('')}</g>`;
    },
    (x: number, y: number) =>
      `<rect x="${x}" y="${y}" width="70" height="54" rx="9" fill="#caa85a" stroke="#765" stroke-width="2"/><path d="M${x} ${y + 27}h70M${x + 24} ${y}v54M${x + 46} ${y}v54" stroke="#765"/>`,
    (x: number, y: number) =>
      Array.from({ length: 144 }, (_, i) =>
        random() < 0.5
          ? `<rect x="${x + 8 * (i % 12)}" y="${y + 8 * Math.floor(i / 12)}" width="8" height="8"/>`
          : '',
      ).join(''),
    (x: number, y: number) =>
      Array.from(
        { length: 40 },
        (_, i) => `<rect x="${x + 4 * i}" y="${y}" width="${at(1, 4)}" height="50"/>`,
      ).join(''),
    (x: number, y: number) =>
      [0, 1, 2]
        .map((i) => `<rect x="${x}" y="${y + 22 * i}" width="100" height="22" fill="${colour(20, 90)}"/>`)
        .join(''),
    (x: number, y: number) =>
      `<rect x="${x}" y="${y}" width="${at(60, 300)}" height="${at(30, 160)}" rx="${at(0, 20)}" fill="${colour(30, 95)}"/>`,
    (x: number, y: number) =>
      `<circle cx="${x}" cy="${y}" r="${at(12, 60)}" fill="${colour(20, 90)}"/><text x="${x - 8}" y="${y + 8}" font-size="26" fill="#fff">${word().slice(0, 2)}</text>`,
    (x: number, y: number) =>
      `<path d="M${x} ${y}${Array.from({ length: 9 }, () => `q${at(-20, 40)} ${at(-40, 40)} ${at(5, 35)} ${at(-12, 12)}`).join('')}" fill="none" stroke="${colour(0, 40)}" stroke-width="3"/>`,
    (x: number, y: number) =>
      Array.from(
        { length: 7 },
        (_, i) =>
          `<ellipse cx="${x}" cy="${y}" rx="${6 * i + 5}" ry="${9 * i + 5}" fill="none" stroke="${colour(20, 60)}" stroke-width="3"/>`,
      ).join(''),
  ];
  const drawn = Array.from({ length: at(5, 14) }, () =>
    shapes[at(0, shapes.length - 1)]!(at(0, width - 80), at(20, height - 60)),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g"><stop stop-color="${colour(75, 98)}"/><stop offset="1" stop-color="${colour(70, 98)}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#g)"/>${drawn.join('')}</svg>`;
}

/**
 * Photos of LFW that show one person or several, and drawings. A photo with a second head that BlazeFace proposes and nothing
 * confirms is neither. The weights that find hidden heads have no say, so that a new fit does not depend on the last one.
 * @param isTaken whether the photos of a person of this name are used
 */
export async function readSources(isTaken: (name: string) => boolean): Promise<Sources> {
  const { empty, cards } = await withoutPeople();
  const finder = await createFaceFinder({ withHiddenHeads: false });
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
  return { alone, groups, empty, cards };
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
