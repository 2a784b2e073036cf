/** Connected parts of a mask. */
import { mask } from './raster.ts';
import type { Mask } from './raster.ts';

export interface Component {
  area: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Labelled {
  /** Index into `components` per pixel; −1 where the mask is 0. */
  labels: Int32Array;
  components: Component[];
}

/** Labels the parts of a mask that hang together through sides, or also through corners. */
export function label(image: Mask, through: 'sides' | 'corners'): Labelled {
  const { width, height, data } = image;
  const labels = new Int32Array(data.length).fill(-1);
  const components: Component[] = [];
  const stack = new Int32Array(data.length);
  for (let seed = 0; seed < data.length; seed++) {
    if (data[seed] === 0 || labels[seed] !== -1) continue;
    const index = components.length;
    const part: Component = { area: 0, left: width, top: height, right: 0, bottom: 0 };
    components.push(part);
    labels[seed] = index;
    stack[0] = seed;
    for (let depth = 1; depth > 0;) {
      const at = stack[--depth]!;
      const x = at % width;
      const y = (at - x) / width;
      part.area++;
      part.left = Math.min(part.left, x);
      part.right = Math.max(part.right, x);
      part.top = Math.min(part.top, y);
      part.bottom = Math.max(part.bottom, y);
      for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy++)
        for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
          if (through === 'sides' && dx !== 0 && dy !== 0) continue;
          const neighbour = at + dy * width + dx;
          if (data[neighbour] === 0 || labels[neighbour] !== -1) continue;
          labels[neighbour] = index;
          stack[depth++] = neighbour;
        }
    }
  }
  return { labels, components };
}

/** The mask with only the parts that `keep` says yes to. */
export function keepParts(image: Mask, labelled: Labelled, keep: (part: Component) => boolean): Mask {
  const kept = labelled.components.map(keep);
  const out = mask(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) {
    const index = labelled.labels[i]!;
    if (index >= 0 && kept[index]) out.data[i] = 1;
  }
  return out;
}

/** Fills holes of fewer than `area` pixels: pinholes of noise would turn into rings when thinned. */
export function fillPinholes(image: Mask, area: number): Mask {
  const holes = mask(image.width, image.height);
  for (let i = 0; i < holes.data.length; i++) holes.data[i] = image.data[i] === 0 ? 1 : 0;
  const labelled = label(holes, 'sides');
  const out = mask(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) {
    const index = labelled.labels[i]!;
    out.data[i] = index < 0 || labelled.components[index]!.area < area ? 1 : 0;
  }
  return out;
}
