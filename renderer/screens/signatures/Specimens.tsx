import { useRef, type KeyboardEvent, useEffect, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { KNOWN_SIGNATURE_LIMITS } from '../../../core/contracts/knownSignatures.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { DropTarget, usePaste, useFileChooser } from '../../components/ImageDrop.tsx';
import { useWords } from '../../i18n/words.tsx';
import { Fault, SideImage, openSide, type Side } from './Sides.tsx';
import { useMay, useSession } from '../../api/session.ts';
import { loadSpecimens } from '../../api/persons.ts';
import { Dialog } from '../../components/Form.tsx';
import { PersonChoice } from '../persons/MergePerson.tsx';
import { fileOf } from '../../components/readableImage.ts';

/** Messages of the service by field: `questioned`, `known`, `known.3`. */
type Messages = Readonly<Record<string, readonly string[]>>;

/** The place for the questioned signature, and the strip of the known ones. */
export function Specimens({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  usePaste((file) => void specimens.paste(file));
  return (
    <div className="specimens">
      <Questioned specimens={specimens} errors={errors} />
      <Known specimens={specimens} errors={errors} />
    </div>
  );
}

function Questioned({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  const { t } = useWords();
  const { questioned, refused, putQuestioned, removeQuestioned } = specimens;
  return (
    <SideImage
      side={questioned}
      label={t('knownSignatures.questioned')}
      help={t('knownSignatures.dropHelp')}
      paste={t('knownSignatures.pasteQuestioned')}
      put={(file) => void putQuestioned(file)}
      remove={removeQuestioned}
      fault={errors.questioned?.join(' ') ?? (refused.questioned ? t('signatures.notImage') : null)}
    />
  );
}

function Known({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  const { t, count, list } = useWords();
  const { known, refused, addKnown } = specimens;
  const { chooser, open } = useFileChooser({
    label: t('knownSignatures.chooseKnown'),
    accept: 'image/jpeg,image/png',
    multiple: true,
    take: (files) => void addKnown(files),
  });
  const full = known.length >= KNOWN_SIGNATURE_LIMITS.most;
  return (
    <DropTarget
      className="known-drop"
      label={t('knownSignatures.known')}
      take={({ files }) => void addKnown([...files])}
    >
      <div className="known-head row wrap">
        <strong>{t('knownSignatures.known')}</strong>
        <span className="soft" role="status">
          {known.length === 0
            ? t('knownSignatures.knownHelp')
            : t('knownSignatures.count', { count: known.length, number: count(known.length) })}
        </span>
        <StoredSpecimens add={addKnown} disabled={full} />
        <Action
          primary
          size="xs"
          className="push"
          label={t('knownSignatures.chooseKnown')}
          disabled={full}
          onClick={open}
        />
      </div>
      {known.length === 0 ? (
        <p className="known-none">{t('knownSignatures.dropKnown')}</p>
      ) : (
        <Strip specimens={specimens} errors={errors} />
      )}
      {chooser}
      <Fault text={errors.known?.join(' ') ?? null} />
      <Fault
        text={
          refused.known.length === 0 ? null : t('knownSignatures.notImages', { files: list(refused.known) })
        }
      />
      <Fault
        text={
          refused.beyond.length === 0 ? null : t('knownSignatures.notAdded', { files: list(refused.beyond) })
        }
      />
    </DropTarget>
  );
}

/** The known signatures. Delete and Backspace remove the one that has the focus; the focus goes to its neighbour. */
function Strip({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  const { t, count } = useWords();
  const strip = useRef<HTMLUListElement>(null);
  const { known, removeKnown } = specimens;
  const remove = (url: string, index: number) => {
    const buttons = [...(strip.current?.querySelectorAll('button') ?? [])];
    (buttons[index + 1] ?? buttons[index - 1])?.focus();
    removeKnown(url);
  };
  const onKey = (url: string, index: number) => (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    remove(url, index);
  };
  return (
    <ul ref={strip} className="strip">
      {known.map(({ url, file }, index) => {
        const number = count(index + 1);
        return (
          <li key={url} className="specimen">
            <img src={url} alt={t('knownSignatures.specimen', { number })} />
            <span className="specimen-caption row">
              <strong>{number}</strong>
              <span dir="auto" className="soft cut" title={file.name}>
                {file.name}
              </span>
              <ActionIcon
                className="push"
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('knownSignatures.removeSpecimen', { number })}
                title={t('common.remove')}
                onClick={() => remove(url, index)}
                onKeyDown={onKey(url, index)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </span>
            <Fault text={errors[`known.${index}`]?.join(' ') ?? null} />
          </li>
        );
      })}
    </ul>
  );
}

interface Chosen {
  id: number;
  name: string;
}

/**
 * Loads the stored specimens of a person as known signatures. A person in the address (`?person=3&name=…`) is loaded when the
 * screen opens.
 */
function StoredSpecimens(props: { add: (files: readonly File[]) => Promise<void>; disabled: boolean }) {
  const { add, disabled } = props;
  const { t, count } = useWords();
  const { company } = useSession();
  const may = useMay();
  const [choosing, setChoosing] = useState(false);
  const load = useMutation({
    mutationFn: async ({ id, name }: Chosen) => {
      const { items } = await loadSpecimens(id);
      const files = items.map(({ image }, index) =>
        fileOf(image, t('knownSignatures.storedFile', { name, number: count(index + 1) })),
      );
      await add(files);
      return files.length;
    },
  });
  const { mutate } = load;
  const offered = company.signatureSpecimens && may('persons:read');
  useWantedPerson(offered, mutate);
  if (!offered) return null;
  return (
    <>
      <Action
        size="xs"
        label={t('knownSignatures.loadStored')}
        disabled={disabled}
        loading={load.isPending}
        onClick={() => setChoosing(true)}
      />
      <ErrorLine error={load.error} />
      {load.data === 0 ? <span role="status">{t('knownSignatures.loadedNone')}</span> : null}
      {choosing ? (
        <Dialog title={t('knownSignatures.loadStored')} close={() => setChoosing(false)}>
          <PersonChoice
            choose={(person) => {
              setChoosing(false);
              mutate(person);
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}

/** Loads the person of the address once, and takes it out of the address. */
function useWantedPerson(offered: boolean, load: (person: Chosen) => void): void {
  const [params, setParams] = useSearchParams();
  const isLoaded = useRef(false);
  const id = Number(params.get('person'));
  const name = params.get('name') ?? '';
  useEffect(() => {
    if (!offered || isLoaded.current || !(id > 0)) return;
    isLoaded.current = true;
    load({ id, name });
    setParams({}, { replace: true });
  }, [offered, id, name, load, setParams]);
}

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
