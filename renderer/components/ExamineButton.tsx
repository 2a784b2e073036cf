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
import { photoUriOf } from './readableImage.ts';

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
  const { t } = useWords();
  const navigate = useNavigate();
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const work = useMutation({
    mutationFn: async ([one, other]: readonly [Side, Side]) =>
      beginExamination([await examinedFace(one), await examinedFace(other)]),
    onSuccess: ({ id }) => navigate(`/examinations/${id}`),
  });
  const [first, second] = pair.map((side) => ('file' in side ? side : enrolledFace(side)));
  if (first === undefined || second === undefined || !may('faces:examine')) return null;
  const photos = pair.filter((side) => 'file' in side).length;
  const begin = () => work.mutate([first, second]);
  return (
    <>
      <Action
        size="xs"
        Icon={IconMicroscope}
        label={t('examinations.begin')}
        loading={work.isPending}
        onClick={photos > 0 ? () => setAsks(true) : begin}
      />
      {asks ? (
        <FormDialog
          title={t('examinations.begin')}
          label={t(photos > 1 ? 'examinations.storePhotos' : 'examinations.storePhoto')}
          close={() => setAsks(false)}
          send={begin}
          work={work}
        >
          <p>{t(photos > 1 ? 'examinations.storesPhotos' : 'examinations.storesPhoto')}</p>
          <p>{t('examinations.storedHelp')}</p>
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
