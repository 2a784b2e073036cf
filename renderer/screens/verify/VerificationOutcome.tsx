import { Loader } from '@mantine/core';
import { IconPhotoX, IconUserScan } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { UnreadableImage } from '../../components/readableImage.ts';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import type { Verification } from './useVerification.ts';
import { VerificationResult } from './VerificationResult.tsx';

/** The outcome below the form: empty, a pending request, a rejected photo, or the result. */
export function VerificationOutcome({ verification }: { verification: Verification }) {
  const { t } = useTranslation();
  const { pending, error, refused, validationId, run, next } = verification;
  return (
    <section className="verify-outcome" aria-label={t('verify.result')} aria-live="polite">
      {pending ? (
        <p className="row verify-wait" role="status">
          <Loader size="sm" /> {t('verify.running')}
        </p>
      ) : error !== null ? (
        <ErrorState error={inWords(error, t)} retry={run} />
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
