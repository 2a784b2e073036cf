import { useEffect, useRef, useState } from 'react';
import { KNOWN_SIGNATURE_LIMITS } from '../../../core/contracts/knownSignatures.ts';
import { openSide, type Side } from './side.ts';

export interface SpecimensState {
  questioned: Side | null;
  /** In the order in which they were given; none of them moves when another is removed. */
  known: readonly Side[];
  /** Names of the files given last that could not be shown, and of those beyond the limit. */
  refused: { questioned: boolean; known: readonly string[]; beyond: readonly string[] };
  putQuestioned: (file: File) => Promise<void>;
  addKnown: (files: readonly File[]) => Promise<void>;
  /** A pasted image: the questioned signature where there is none yet, otherwise a known one. */
  paste: (file: File) => Promise<void>;
  removeQuestioned: () => void;
  removeKnown: (url: string) => void;
  clear: () => void;
}

interface Images {
  questioned: Side | null;
  known: readonly Side[];
  refused: SpecimensState['refused'];
}
const NONE: Images = {
  questioned: null,
  known: [],
  refused: { questioned: false, known: [], beyond: [] },
};

/**
 * The images of a comparison with several known signatures. Files take their time to open; a file that opens after
 * everything was cleared is not added.
 * @param changed called when an image is added or removed
 */
export function useSpecimens(changed: () => void): SpecimensState {
  const [images, setImages] = useState<Images>(NONE);
  const round = useRef(0);
  useReleasedUrls(images);
  const opened = (file: File) => openSide(file).catch(() => null);
  const update = (change: (now: Images) => Images) => {
    setImages(change);
    changed();
  };
  const putQuestioned = async (file: File) => {
    const begun = round.current;
    const side = await opened(file);
    if (round.current !== begun) release([side]);
    else
      update((now) => ({
        ...now,
        questioned: side ?? now.questioned,
        refused: { ...now.refused, questioned: side === null },
      }));
  };
  const addKnown = async (files: readonly File[]) => {
    const begun = round.current;
    const sides = await Promise.all(files.map(opened));
    if (round.current !== begun) {
      release(sides);
      return;
    }
    const names = files.flatMap(({ name }, i) => (sides[i] === null ? [name] : []));
    const shown = sides.flatMap((side) => (side === null ? [] : [side]));
    update((now) => {
      const room = KNOWN_SIGNATURE_LIMITS.most - now.known.length;
      const beyond = shown.slice(room);
      release(beyond);
      return {
        ...now,
        known: [...now.known, ...shown.slice(0, room)],
        refused: { ...now.refused, known: names, beyond: beyond.map(({ file }) => file.name) },
      };
    });
  };
  return {
    ...images,
    putQuestioned,
    addKnown,
    paste: (file) => (images.questioned === null ? putQuestioned(file) : addKnown([file])),
    removeQuestioned: () => update((now) => ({ ...now, questioned: null })),
    removeKnown: (url) =>
      update((now) => ({
        ...now,
        known: now.known.filter((side) => side.url !== url),
        refused: NONE.refused,
      })),
    clear: () => {
      round.current += 1;
      update(() => NONE);
    },
  };
}

function release(sides: readonly (Side | null)[]): void {
  for (const side of sides) if (side !== null) URL.revokeObjectURL(side.url);
}

/** Lets the browser release the images that are no longer shown, and all of them when the screen is left. */
function useReleasedUrls({ questioned, known }: Images): void {
  const shown = useRef<readonly string[]>([]);
  useEffect(() => {
    const now = [questioned, ...known].flatMap((side) => (side === null ? [] : [side.url]));
    for (const url of shown.current) if (!now.includes(url)) URL.revokeObjectURL(url);
    shown.current = now;
  }, [questioned, known]);
  useEffect(
    () => () => {
      for (const url of shown.current) URL.revokeObjectURL(url);
      shown.current = [];
    },
    [],
  );
}
