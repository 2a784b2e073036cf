import { useEffect, useRef, useState } from 'react';
import { Loader, TextInput } from '@mantine/core';
import { IconAlertCircle, IconSignature } from '@tabler/icons-react';
import { Action } from '../../components/Page.tsx';
import { ChosenFile, usePaste, ImageDrop } from '../../components/ImageDrop.tsx';
import { imageKind, type ImageKind } from '../../components/readableImage.ts';
import { useWords } from '../../i18n/words.tsx';

/** Two places for an image. A pasted one goes to the first that is free. */
export function Sides(props: {
  sides: SidesState;
  /** The messages of the service for either image. */
  errors: readonly [string | undefined, string | undefined];
}) {
  const { t } = useWords();
  const { sides, errors } = props;
  const { pair, refused, put, remove } = sides;
  usePaste((file) => void put(file));
  return (
    <div className="sides">
      {([0, 1] as const).map((which) => (
        <SideImage
          key={which}
          side={pair[which]}
          label={t(which === 0 ? 'signatures.first' : 'signatures.second')}
          help={t('signatures.dropHelp')}
          paste={t('signatures.paste')}
          put={(file) => void put(file, which)}
          remove={() => remove(which)}
          fault={errors[which] ?? (refused[which] ? t('signatures.notImage') : null)}
        />
      ))}
    </div>
  );
}

export interface References {
  template: string;
  verification: string;
}

/** The caller's own references: the history is found by them. */
export function References({ names, change }: { names: References; change: (names: References) => void }) {
  const { t } = useWords();
  return (
    <div className="row wrap references">
      {(['template', 'verification'] as const).map((key) => (
        <TextInput
          key={key}
          label={t(`signatures.${key}`)}
          description={t(`signatures.${key}Help`)}
          maxLength={255}
          value={names[key]}
          onChange={(event) => change({ ...names, [key]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}

/** Begins a comparison, and says that it runs. @param props `ready`: everything that it needs is given */
export function CompareRow(props: { ready: boolean; pending: boolean; compare: () => void }) {
  const { ready, pending, compare } = props;
  const { t } = useWords();
  return (
    <div className="row">
      <Action
        primary
        size="md"
        label={t('signatures.compare')}
        disabled={!ready}
        loading={pending}
        onClick={compare}
      />
      {pending ? (
        <span className="row" role="status">
          <Loader size="sm" /> {t('signatures.comparing')}
        </span>
      ) : null}
    </div>
  );
}

/** The place for one image: an area to drop it, or the image with its file name. */
export function SideImage(props: {
  side: Side | null;
  label: string;
  help: string;
  paste: string;
  put: (file: File) => void;
  remove: () => void;
  /** Why the image is not taken; null: it is, or there is none. */
  fault: string | null;
}) {
  const { side, label, help, paste, put, remove, fault } = props;
  const { t } = useWords();
  return (
    <div className="side">
      <ChosenFile label={label} file={side?.file} />
      {side === null ? (
        <ImageDrop
          take={([image]) => put(image)}
          Icon={IconSignature}
          label={label}
          title={label}
          help={help}
          choose={t('signatures.choose')}
          paste={paste}
        />
      ) : (
        <figure className="side-image">
          <img src={side.url} alt={label} />
          <figcaption className="row">
            <strong>{label}</strong>
            <span dir="auto" className="soft cut">
              {side.file.name}
            </span>
            <Action size="xs" className="push" label={t('signatures.replace')} onClick={remove} />
          </figcaption>
        </figure>
      )}
      <Fault text={fault} />
    </div>
  );
}

export function Fault({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="error-line" role="alert">
      <IconAlertCircle size={16} aria-hidden /> {text}
    </p>
  );
}

type Which = 0 | 1;
type Pair = readonly [Side | null, Side | null];

interface SidesState {
  pair: Pair;
  /** Which of the files given last could not be shown. */
  refused: readonly [boolean, boolean];
  /** Opens a file for one side; without a side, for the first that is free. */
  put: (file: File, which?: Which) => Promise<void>;
  remove: (which: Which) => void;
  clear: () => void;
}

const NONE = [null, null] as const;
const NEITHER = [false, false] as const;

/**
 * The two images of a comparison, each its own: files take their time to open, and two given at once may open in any
 * order without either losing the other.
 * @param changed called when the image of a side changes
 */
export function useSides(changed: () => void): SidesState {
  const [pair, setPair] = useState<Pair>(NONE);
  const [refused, setRefused] = useState<readonly [boolean, boolean]>(NEITHER);
  // The file given last to each side, opened or not: an older one that opens later is let go.
  const given = useRef<[File | null, File | null]>([...NONE]);
  const set = (which: Which, side: Side | null, refusal: boolean) => {
    setPair((now) => (which === 0 ? [side, now[1]] : [now[0], side]));
    setRefused((now) => (which === 0 ? [refusal, now[1]] : [now[0], refusal]));
    changed();
  };
  useReleased(pair[0]);
  useReleased(pair[1]);
  return {
    pair,
    refused,
    put: async (file, which = given.current[0] === null ? 0 : 1) => {
      given.current[which] = file;
      const side = await openSide(file).catch(() => null);
      if (given.current[which] !== file) {
        if (side !== null) URL.revokeObjectURL(side.url);
        return;
      }
      if (side === null) given.current[which] = null;
      set(which, side, side === null);
    },
    remove: (which) => {
      given.current[which] = null;
      set(which, null, false);
    },
    clear: () => {
      given.current = [...NONE];
      setPair(NONE);
      setRefused(NEITHER);
      changed();
    },
  };
}

/** Lets the browser forget an image when another takes its place, and when the screen is left. */
function useReleased(side: Side | null): void {
  useEffect(
    () => () => {
      if (side !== null) URL.revokeObjectURL(side.url);
    },
    [side],
  );
}

/** One of the two images: shown from the disk, kept nowhere. */
export interface Side {
  file: File;
  kind: ImageKind;
  url: string;
  width: number;
  height: number;
}

/** Opens a chosen file. @returns null: neither JPEG nor PNG, or damaged so that nothing can be shown */
export async function openSide(file: File): Promise<Side | null> {
  const kind = await imageKind(file);
  if (kind === null) return null;
  const url = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
  return { file, kind, url, width: picture.naturalWidth, height: picture.naturalHeight };
}

/** A reference that is not used yet: the present time to the second. */
export function newReference(): string {
  return `manual-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The ink of a picture in one colour on nothing, so that two can be laid over each other in different colours. */
export async function tinted(
  url: string,
  [red, green, blue]: readonly [number, number, number],
): Promise<string> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  context.drawImage(picture, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < pixels.data.length; at += 4) {
    const darkness = 255 - (pixels.data[at] ?? 255);
    pixels.data.set([red, green, blue, darkness], at);
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL('image/png');
}
