import { Loader } from '@mantine/core';
import { IconPhotoX, IconUserScan } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { FoundFaces } from '../../../core/contracts/enrolmentRuns.ts';
import { ApiError } from '../../api/client.ts';
import { FaceBox, placeOn, UnclearBox } from '../../components/FaceBox.tsx';
import { UnreadableImage } from '../../components/readableImage.ts';
import { EmptyState, ErrorLine, ErrorState } from '../../components/states.tsx';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import type { Verification } from './useVerification.ts';
import { VerificationResult } from './VerificationResult.tsx';

/** The outcome below the form: empty, a pending request, a rejected photo, or the result. */
export function VerificationOutcome({ verification }: { verification: Verification }) {
  const { t } = useTranslation();
  const { pending, error, refused, found, validationId, run, next } = verification;
  const choice = refused === 'MULTIPLE_FACES' && found !== null && found.boxes.length > 0 ? found : null;
  return (
    <section className="verify-outcome" aria-label={t('verify.result')} aria-live="polite">
      {pending ? (
        <p className="row verify-wait" role="status">
          <Loader size="sm" /> {t('verify.running')}
        </p>
      ) : error !== null ? (
        <ErrorState error={inWords(error, t)} retry={run} />
      ) : choice !== null ? (
        <FaceChoice found={choice} verification={verification} />
      ) : refused !== null ? (
        <EmptyState Icon={IconPhotoX} title={t('verify.refused')}>
          <p>{t(`failures.${refused}.sentence`)}</p>
          <p>{t(`failures.${refused}.remedy`)}</p>
          <p className="soft">{t('verify.refusedHelp')}</p>
        </EmptyState>
      ) : validationId !== null ? (
        <VerificationResult id={validationId} next={next} />
      ) : (
        <EmptyState Icon={IconUserScan} title={t('verify.waiting')}>
          {t('verify.waitingHelp')}
        </EmptyState>
      )}
    </section>
  );
}

/** The refused photo with its faces as boxes; the operator chooses the one to verify. */
function FaceChoice({ found, verification }: { found: FoundFaces; verification: Verification }) {
  const { t } = useTranslation();
  const url = useObjectUrl(verification.draft.photo);
  const choosing = useMutation({ mutationFn: verification.chooseFace });
  if (url === null) return null;
  return (
    <div className="column">
      <p>{t('failures.MULTIPLE_FACES.sentence')}</p>
      <figure className="verify-choice">
        <figcaption>{t('verify.chooseFace')}</figcaption>
        <div className="face-boxes">
          <img src={url} alt="" />
          {found.unclear.map((box) => (
            <UnclearBox key={`${box.x},${box.y}`} place={placeOn(found, box)} />
          ))}
          {found.boxes.map((box, index) => (
            <FaceBox
              key={`${box.x},${box.y}`}
              place={placeOn(found, box)}
              number={index + 1}
              label={t('failedPhotos.face', { face: index + 1, faces: found.boxes.length })}
              chosen={false}
              disabled={choosing.isPending}
              choose={() => choosing.mutate(index)}
            />
          ))}
        </div>
      </figure>
      <ErrorLine error={choosing.error} />
      <p className="soft">{t('verify.chooseFaceHelp')}</p>
    </div>
  );
}

function inWords(error: Error, t: TFunction): Error {
  if (error instanceof UnreadableImage)
    return new ApiError(
      415,
      error.format === null
        ? t('search.notAnImage', { file: error.fileName })
        : t('search.notConvertible', { file: error.fileName, format: error.format }),
    );
  const rejected =
    error instanceof ApiError && ([413, 415].includes(error.status) || error.fields.image !== undefined);
  return rejected ? new ApiError(error.status, t('search.wrongType'), error) : error;
}
