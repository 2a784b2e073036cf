import { useState } from 'react';
import { IconMicroscope } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ExaminedFace } from '../../core/contracts/dashboard/examinations.ts';
import { faceOfThumbnail, type FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import { beginExamination } from '../api/comparisons.ts';
import { useMay } from '../api/session.ts';
import { useWords } from '../i18n/words.tsx';
import { FormDialog } from './Form.tsx';
import { Action, ErrorLine } from './Page.tsx';
import { dataUriOf, photoUriOf, type ImageKind } from './readableImage.ts';

/** A photo that nobody enrolled, and the face in it by its position. */
export interface GivenPhoto {
  file: File;
  face: number;
}

type Side = GivenPhoto | number;

/**
 * Begins the examination of two faces and opens it; asks first where that stores a photo. Absent where an enrolled face is
 * gone.
 */
export function ExamineButton({ pair }: { pair: readonly [FaceImage | GivenPhoto, FaceImage | GivenPhoto] }) {
  const [first, second] = pair.map((side) => ('file' in side ? side : enrolledFace(side)));
  if (first === undefined || second === undefined) return null;
  const photos = pair.filter((side) => 'file' in side).length;
  return (
    <BeginButton
      begin={async () => beginExamination({ faces: [await examinedFace(first), await examinedFace(second)] })}
      stores={photos === 0 ? null : photos > 1 ? 'photos' : 'photo'}
    />
  );
}

/** A file of a comparison of signatures, and the size of its picture. */
interface ComparedFile {
  file: File;
  kind: ImageKind;
  width: number;
  height: number;
}

/** Begins the examination of the signatures of a comparison, in its order, once they may be stored. */
export function ExamineSignaturesButton(props: {
  comparison: number;
  pair: readonly [ComparedFile, ComparedFile];
}) {
  const { comparison, pair } = props;
  const examined = async ({ file, kind, width, height }: ComparedFile) => ({
    ...{ image: await dataUriOf({ file, kind }), width, height },
    name: file.name.slice(0, LONGEST_NAME),
  });
  return (
    <BeginButton
      begin={async () =>
        beginExamination({ comparison, signatures: [await examined(pair[0]), await examined(pair[1])] })
      }
      stores="signatures"
    />
  );
}

const STORING = {
  photo: ['examinations.storePhoto', 'examinations.storesPhoto', 'examinations.storedHelp'],
  photos: ['examinations.storePhotos', 'examinations.storesPhotos', 'examinations.storedHelp'],
  signatures: [
    ...(['examinations.storeSignatures', 'examinations.storesSignatures'] as const),
    'examinations.storedSignaturesHelp',
  ],
} as const;

/** @param props `stores`: null: nothing, so it begins at once */
function BeginButton(props: {
  begin: () => ReturnType<typeof beginExamination>;
  stores: keyof typeof STORING | null;
}) {
  const { begin, stores } = props;
  const { t } = useWords();
  const navigate = useNavigate();
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const work = useMutation({
    mutationFn: begin,
    onSuccess: ({ id }) => navigate(`/examinations/${id}`),
  });
  if (!may('faces:examine')) return null;
  const [label, ...texts] = STORING[stores ?? 'photo'];
  return (
    <>
      <Action
        size="xs"
        Icon={IconMicroscope}
        label={t('examinations.begin')}
        loading={work.isPending}
        onClick={stores === null ? () => work.mutate() : () => setAsks(true)}
      />
      {asks ? (
        <FormDialog
          title={t('examinations.begin')}
          label={t(label)}
          close={() => setAsks(false)}
          send={() => work.mutate()}
          work={work}
        >
          {texts.map((text) => (
            <p key={text}>{t(text)}</p>
          ))}
        </FormDialog>
      ) : (
        <ErrorLine error={work.error} />
      )}
    </>
  );
}

/** The id of an enrolled face; undefined: it is gone, or the role may not see it. */
function enrolledFace({ thumbnailUrl }: FaceImage): number | undefined {
  const id = thumbnailUrl === null ? undefined : faceOfThumbnail(thumbnailUrl);
  return id === undefined ? undefined : Number(id);
}

async function examinedFace(side: Side): Promise<ExaminedFace> {
  if (typeof side === 'number') return side;
  const { face, file } = side;
  return { photo: await photoUriOf(file), face, name: file.name.slice(0, LONGEST_NAME) };
}

const LONGEST_NAME = 255;
