import { useState, type PointerEvent } from 'react';
import { Button } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconCheck,
  IconPhotoUp,
  IconPlayerSkipForward,
  IconRotateClockwise,
  IconScissors,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import type { FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { cropAround, readingOrder } from '../../../core/contracts/facePlaces.ts';
import { cropToJpeg, type Box, type Size } from '../../compare/geometry.ts';
import { FaceBox, placeOn, UnclearBox } from '../../components/FaceThumbnail.tsx';
import {
  pixelsOf,
  readableImage,
  UnreadableImage,
  unreadableInWords,
} from '../../components/readableImage.ts';
import { useFileChooser, useObjectUrl } from '../../components/ImageDrop.tsx';
import { useWords } from '../../i18n/words.tsx';
import { fileOf, photoFiles, rememberPhoto } from '../../state/photoFiles.ts';
import { useKeys } from '../../state/keys.ts';
import { fixQueue, queueFix, takeBackFix, between, moved, turned, turnedPhoto } from './fixQueue.ts';
import { Remedy } from './columns.tsx';

/** The largest photo that is opened, pixels: 0.8 GB when the browser has decoded it. A larger one stops the page. */
const MAX_PIXELS = 200_000_000;

interface Props {
  failure: FailureRow;
  /** The failed photos of the list, in its order. */
  rows: readonly FailureRow[];
  /** Opens another failed photo, or the list. */
  go: (id: number | null) => void;
}

/** One failed photo, large: a face or a part of it is chosen, it is turned, and it is sent at once. */
export function FixPhoto({ failure, rows, go }: Props) {
  const { t, count } = useWords();
  const place = rows.indexOf(failure);
  const steps = useSteps({ failure, rows, go });
  const file = useStore(photoFiles, (state) => fileOf(state, failure));
  useKeys([
    { keys: ['s'], label: t('failedPhotos.skip'), run: steps.skip },
    { keys: ['z'], label: t('failedPhotos.undo'), run: steps.undo },
    { keys: ['Escape'], label: t('common.backToList'), run: () => go(null) },
  ]);
  return (
    <div className="fix">
      <div className="row fix-head">
        <Action
          size="compact-sm"
          Icon={IconArrowLeft}
          mirrored
          label={t('common.backToList')}
          onClick={() => go(null)}
        />
        <h2 className="fix-title">
          <bdi>{failure.fileName}</bdi>
        </h2>
        {failure.person === null ? null : (
          <Link to={`/persons/${failure.person.id}`} className="cut">
            <bdi>{failure.person.name}</bdi>
          </Link>
        )}
        <span className="soft">
          {t('failedPhotos.place', { place: count(place + 1), total: count(rows.length) })}
        </span>
      </div>
      <p className="fix-reason" role="status">
        <strong>{t(`failures.${failure.failureCode}.sentence`)}</strong> <Remedy failure={failure} />
      </p>
      {file === undefined ? (
        <NoFile failure={failure} steps={steps} />
      ) : (
        <Editor key={failure.id} failure={failure} file={file} steps={steps} />
      )}
    </div>
  );
}

/** The operator's actions on the failed photo that is shown. */
interface Steps {
  send: (fix: { photos: readonly Blob[]; face?: number; faces: number }) => void;
  skip: () => void;
  undo: () => void;
  canUndo: boolean;
}

function useSteps({ failure, rows, go }: Props): Steps {
  const { held, done } = useStore(fixQueue);
  const isOpen = (row: FailureRow) =>
    !done.has(row.id) && (row.fix === null || row.fix.state === 'failed') && row.id !== failure.id;
  const next = () => {
    const place = rows.indexOf(failure);
    return [...rows.slice(place + 1), ...rows.slice(0, place)].find(isOpen)?.id ?? null;
  };
  return {
    send: (fix) => {
      // A second Enter before the next photo is on screen is not for this one.
      if (done.has(failure.id)) return;
      const following = next();
      queueFix({ id: failure.id, ...fix });
      go(following);
    },
    skip: () => go(next()),
    undo: () => {
      const id = takeBackFix();
      if (id !== undefined) go(id);
    },
    canUndo: held !== null,
  };
}

/** This window cannot read the photo: the operator chooses the file. */
function NoFile({ failure, steps }: { failure: FailureRow; steps: Steps }) {
  const { t } = useWords();
  const chooser = useFileChooser({
    label: t('failedPhotos.choosePhoto'),
    accept: 'image/*',
    take: ([file]) => {
      if (file !== undefined) rememberPhoto(failure.uploadId, failure.index, file);
    },
  });
  return (
    <div className="card column">
      <p>{t('failedPhotos.noFile')}</p>
      <div className="row">
        <Action primary Icon={IconPhotoUp} label={t('failedPhotos.choosePhoto')} onClick={chooser.open} />
        {chooser.chooser}
        <SkipAndUndo steps={steps} />
      </div>
    </div>
  );
}

function SkipAndUndo({ steps }: { steps: Steps }) {
  const { t } = useWords();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerSkipForward size={16} aria-hidden className="mirrored" />}
        onClick={steps.skip}
      >
        {t('failedPhotos.skip')} (S)
      </Button>
      <Button
        variant="default"
        disabled={!steps.canUndo}
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={steps.undo}
      >
        {t('failedPhotos.undo')} (Z)
      </Button>
    </>
  );
}

function Editor({ failure, file, steps }: { failure: FailureRow; file: File; steps: Steps }) {
  const { t, count } = useWords();
  const may = useMay();
  const edit = useEdit(failure, file);
  const { part, face, faces, several, size, photo, sent } = edit;
  const fixed = failure.fix !== null && failure.fix.state !== 'failed';
  // Of a photo with several faces, the operator says which one is enrolled.
  const ready = sent !== undefined && !fixed && may('uploads:create') && (part !== null || !several);
  const send = () => {
    if (!ready) return;
    steps.send({ photos: [sent], faces: faces.length, ...(face !== null && { face }) });
  };
  const split = useMutation({
    mutationFn: edit.eachFace,
    onSuccess: (photos) => steps.send({ photos, faces: faces.length }),
  });
  const change = (by: Parameters<typeof moved>[1]) => () => {
    if (size !== null) edit.setPart(moved(part ?? { x: 0, y: 0, ...size }, by, size));
  };
  useKeys([
    {
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      shown: ['1', '9'],
      label: t('failedPhotos.chooseFace'),
      run: ({ key }) => edit.choose(Number(key)),
    },
    { keys: ['r'], label: t('failedPhotos.turn'), run: edit.turn },
    { keys: ['Enter'], label: t('failedPhotos.send'), run: send },
    { keys: ['+'], label: t('failedPhotos.larger'), run: change({ scale: 1.1 }) },
    { keys: ['-'], label: t('failedPhotos.smaller'), run: change({ scale: 1 / 1.1 }) },
    { keys: ['ArrowLeft'], label: t('failedPhotos.move'), run: change({ x: -0.05 }) },
    { keys: ['ArrowRight'], label: t('failedPhotos.move'), run: change({ x: 0.05 }) },
    { keys: ['ArrowUp'], label: t('failedPhotos.move'), run: change({ y: -0.05 }) },
    { keys: ['ArrowDown'], label: t('failedPhotos.move'), run: change({ y: 0.05 }) },
  ]);
  return (
    <div className="fix-body">
      <Stage edit={edit} name={failure.fileName} />
      <aside className="fix-side column">
        <h3>{t('failedPhotos.preview')}</h3>
        <Preview photo={sent} />
        <p className="soft">
          {part !== null
            ? face === null
              ? t('failedPhotos.partSent')
              : t('failedPhotos.faceSent', { face, faces: faces.length })
            : several
              ? t('failedPhotos.chooseFirst')
              : t('failedPhotos.wholeSent')}
        </p>
        <ErrorLine error={edit.error} />
        <Button
          data-autofocus
          disabled={!ready}
          leftSection={<IconCheck size={16} aria-hidden />}
          onClick={send}
        >
          {t('failedPhotos.send')} (Enter)
        </Button>
        <Button
          variant="default"
          disabled={photo === null}
          leftSection={<IconRotateClockwise size={16} aria-hidden />}
          onClick={edit.turn}
        >
          {t('failedPhotos.turn')} (R)
        </Button>
        {faces.length > 1 && failure.fix === null && may('uploads:create') ? (
          <>
            <Action
              Icon={IconScissors}
              label={t('failedPhotos.split', { faces: count(faces.length) })}
              disabled={photo === null}
              work={split}
            />
            <p className="soft">
              {t('failedPhotos.splitHelp')}
              {edit.unclear.length > 0
                ? ` ${t('failedPhotos.splitUnclear', { heads: count(edit.unclear.length) })}`
                : ''}
            </p>
            <ErrorLine error={split.error} />
          </>
        ) : null}
        <SkipAndUndo steps={steps} />
        <p className="soft">{t('failedPhotos.cropHelp')}</p>
      </aside>
    </div>
  );
}

function useEdit(failure: FailureRow, file: File) {
  const { t, count } = useWords();
  const [turns, setTurns] = useState(0);
  const [size, setSize] = useState<Size | null>(null);
  const [drawn, setDrawn] = useState<Box | null>(null);
  // A place in the list of what was found, largest first, which stays when the photo is turned.
  const [chosen, setChosen] = useState<number | null>(failure.hasMainFace ? 0 : null);
  const photo = useQuery({
    queryKey: ['fix', 'photo', failure.id, file.lastModified, turns],
    queryFn: async () => {
      if (((await pixelsOf(file)) ?? 0) > MAX_PIXELS)
        throw new ApiError(413, t('failedPhotos.tooLarge', { megapixels: count(MAX_PIXELS / 1e6) }));
      const { file: readable } = await readableImage(file).catch((error: unknown) => {
        throw error instanceof UnreadableImage ? unreadableInWords(error, t) : error;
      });
      return turnedPhoto(readable, turns);
    },
    staleTime: Infinity,
    // A failed photo is kept nowhere.
    gcTime: 0,
    retry: false,
  });
  const found = failure.found === null ? null : turned(failure.found, turns);
  // Boxes of another file say nothing: the one on the disk was replaced.
  const sameShape =
    found !== null &&
    size !== null &&
    Math.abs(found.width * size.height - found.height * size.width) < size.width * 2;
  const scale = sameShape ? size.width / found.width : 1;
  const onPhoto = ({ x, y, width, height }: Box): Box => ({
    x: x * scale,
    y: y * scale,
    width: width * scale,
    height: height * scale,
  });
  const boxes = sameShape ? found.boxes.map(onPhoto) : [];
  // Numbered as the photos of a sheet are, `FILE#1` and so on.
  const faces = readingOrder(boxes);
  const unclear = sameShape ? found.unclear.map(onPhoto) : [];
  const several = faces.length + unclear.length > 1;
  const box = chosen === null || !several ? undefined : boxes[chosen];
  const others = [...faces, ...unclear].filter((each) => each !== box);
  const part = drawn ?? (box === undefined || size === null ? null : cropAround(box, others, size));
  const cut = useQuery({
    queryKey: ['fix', 'part', failure.id, file.lastModified, turns, part],
    queryFn: async () => {
      if (photo.data === undefined || size === null || part === null) throw new Error('No part is chosen.');
      return cropToJpeg(
        photo.data,
        part,
        size,
        drawn === null && box !== undefined ? { face: box, others } : undefined,
      );
    },
    enabled: photo.data !== undefined && size !== null && part !== null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return {
    photo: photo.data ?? null,
    error: photo.error ?? cut.error,
    size,
    setSize,
    /** In reading order. */
    faces,
    /** Heads that are covered or unclear; none of them can be chosen. */
    unclear,
    /** Several faces and heads: one must be chosen. */
    several,
    /** The number of the chosen face, from 1; null: none, or a part was drawn. */
    face: drawn === null && box !== undefined ? faces.indexOf(box) + 1 : null,
    /** One photo of each face, in reading order. */
    eachFace: () => {
      if (photo.data === undefined || size === null) throw new Error('The photo is not open.');
      return portraitsOf(photo.data, size, faces, unclear);
    },
    part,
    setPart: setDrawn,
    /** @param number of the face, from 1 */
    choose: (number: number) => {
      const places = found?.boxes ?? [];
      const place = readingOrder(places)[number - 1];
      // A key that comes before the photo is kept for it.
      if (place === undefined || (size !== null && !sameShape)) return;
      setDrawn(null);
      setChosen(places.indexOf(place));
    },
    turn: () => {
      setDrawn(null);
      setSize(null);
      setTurns((turns + 1) % 4);
    },
    /** The photo that will be sent; undefined until the operator sees it. */
    sent: size === null ? undefined : part === null ? photo.data : cut.data,
  };
}

/** One photo of each face of a sheet, in the order of the faces, in which grey covers the others. */
export async function portraitsOf(
  sheet: Blob,
  size: Size,
  faces: readonly Box[],
  unclear: readonly Box[],
): Promise<Blob[]> {
  const photos: Blob[] = [];
  for (const face of faces) {
    const others = [...faces, ...unclear].filter((other) => other !== face);
    photos.push(await cropToJpeg(sheet, cropAround(face, others, size), size, { face, others }));
  }
  return photos;
}

/** The photo with the boxes of its faces and the part that is sent. A part is drawn with the pointer. */
function Stage({ edit, name }: { edit: ReturnType<typeof useEdit>; name: string }) {
  const { t } = useWords();
  const url = useObjectUrl(edit.photo);
  const [from, setFrom] = useState<{ x: number; y: number } | null>(null);
  const { size, faces, face, part } = edit;
  const pixels = size ?? { width: 1, height: 1 };
  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const area = event.currentTarget.getBoundingClientRect();
    return {
      x: ((event.clientX - area.left) / area.width) * pixels.width,
      y: ((event.clientY - area.top) / area.height) * pixels.height,
    };
  };
  if (url === null) return <div className="fix-stage" role="status" />;
  return (
    <div className="fix-stage">
      <div
        className="fix-photo"
        // As large as the stage, also for a photo of few pixels.
        style={size === null ? {} : { width: `min(100%, calc(60vh * ${size.width / size.height}))` }}
        onPointerDown={(event) => {
          if (event.target instanceof HTMLButtonElement || size === null) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom(pointOf(event));
        }}
        onPointerMove={(event) => {
          if (from === null || size === null) return;
          const drawn = between(from, pointOf(event), size);
          if (drawn !== null) edit.setPart(drawn);
        }}
        onPointerUp={() => setFrom(null)}
      >
        <img
          src={url}
          alt={t('face.photo', { name })}
          draggable={false}
          onLoad={({ currentTarget }) =>
            edit.setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
        />
        {part === null ? null : <span className="fix-part" style={placeOn(pixels, part)} />}
        {edit.unclear.map((box) => (
          <UnclearBox key={`${box.x},${box.y}`} place={placeOn(pixels, box)} />
        ))}
        {faces.map((box, index) => (
          <FaceBox
            key={index}
            place={placeOn(pixels, box)}
            number={index + 1}
            label={t('failedPhotos.face', { face: index + 1, faces: faces.length })}
            chosen={face === index + 1}
            choose={() => edit.choose(index + 1)}
          />
        ))}
      </div>
    </div>
  );
}

function Preview({ photo }: { photo: Blob | undefined }) {
  const { t } = useWords();
  const url = useObjectUrl(photo);
  return (
    <div className="fix-preview">
      {url === null ? null : <img src={url} alt={t('failedPhotos.preview')} draggable={false} />}
    </div>
  );
}
