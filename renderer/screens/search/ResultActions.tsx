import { useState } from 'react';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type {
  SearchAnswer,
  SearchCandidate,
  SearchedFace,
  SearchReportRequest,
} from '../../../core/contracts/dashboard/search.ts';
import { ApiError } from '../../api/client.ts';
import { searchReport } from '../../api/search.ts';
import { ReportButton } from '../../components/ReportButton.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { AddToBlacklist } from './AddToBlacklist.tsx';
import type { Probe } from './probe.ts';

/** Whether the service no longer holds a result. */
export const hasExpired = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'SEARCH_EXPIRED';

/** Adds the face to a blacklist, saves the report, erases the person who was found. */
export function ResultActions(props: {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  candidate: SearchCandidate | undefined;
  /** The result that is on the screen. */
  seen: Pick<SearchReportRequest, 'view' | 'face' | 'candidate'>;
  /** Why the last choice of a threshold or list was not recorded. */
  error: Error | null;
  again: () => void;
}) {
  const { probe, answer, face, candidate, seen, error, again } = props;
  const { t, i18n } = useTranslation();
  const [unreported, setUnreported] = useState<Error | null>(null);
  const make = async () => {
    try {
      return await searchReport(answer.id, {
        ...seen,
        file: probe.file.name,
        language: i18n.language === 'ar' ? 'ar' : 'en',
      });
    } catch (failure) {
      if (failure instanceof ApiError) setUnreported(failure);
      throw failure;
    }
  };
  const expired = [error, unreported].find(hasExpired);
  return (
    <div className="column">
      <div className="row found-report">
        <AddToBlacklist probe={probe} answer={answer} face={face} candidate={candidate} />
        {expired === undefined ? <ReportButton fileName="face-search.pdf" make={make} /> : null}
        {candidate === undefined ? null : (
          <ErasePerson
            key={candidate.faceId}
            start={
              candidate.trustValidationId === null
                ? { faces: [candidate.faceId] }
                : { validations: [candidate.trustValidationId] }
            }
            gone={again}
          />
        )}
      </div>
      <ErrorLine error={expired ?? error} />
      {expired === undefined ? null : (
        <Button size="xs" onClick={again}>
          {t('search.again')}
        </Button>
      )}
    </div>
  );
}
