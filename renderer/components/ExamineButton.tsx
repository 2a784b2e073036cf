import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { faceOfThumbnail, type FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import { beginExamination } from '../api/comparisons.ts';
import { useMay } from '../api/session.ts';
import { useWords } from '../i18n/words.tsx';
import { Action, ErrorLine } from './Page.tsx';

/** Begins the examination of two enrolled faces and opens it. Absent where one of them is not enrolled any more. */
export function ExamineButton({ pair }: { pair: readonly [FaceImage, FaceImage] }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const may = useMay();
  const work = useMutation({
    mutationFn: beginExamination,
    onSuccess: ({ id }) => navigate(`/examinations/${id}`),
  });
  const [first, second] = pair.map(({ thumbnailUrl }) =>
    thumbnailUrl === null ? undefined : faceOfThumbnail(thumbnailUrl),
  );
  if (first === undefined || second === undefined || !may('faces:examine')) return null;
  return (
    <>
      <Action
        size="xs"
        label={t('examinations.begin')}
        loading={work.isPending}
        onClick={() => work.mutate([Number(first), Number(second)])}
      />
      <ErrorLine error={work.error} />
    </>
  );
}
