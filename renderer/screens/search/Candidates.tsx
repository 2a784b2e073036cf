import { Button } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SearchAnswer, SearchCandidate } from '../../../core/contracts/dashboard/search.ts';
import type { ScoreInterpretation } from '../../../core/contracts/dashboard/faceImages.ts';
import type { ShownCandidates } from '../../../core/contracts/dashboard/searchView.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { SeverityBadge } from '../../components/Severity.tsx';
import { ScoreScale } from '../../components/ScoreScale.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { ChosenView } from './useSearchView.ts';
import '../../components/select.css';

/** The matches of the chosen face, and on request the nearest candidates below the threshold. */
export function Candidates(props: {
  answer: SearchAnswer;
  shown: ShownCandidates<SearchCandidate>;
  chosen: ChosenView;
  /** The face id of the selected candidate. */
  selected: number | undefined;
  select: (faceId: number) => void;
}) {
  const { answer, shown, chosen, selected, select } = props;
  const { view, change } = chosen;
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <div className="column">
      {shown.matches.length === 0 ? (
        <EmptyState Icon={IconUserCheck} title={t('search.noMatch')}>
          {t('search.noMatchHelp', { searched: count(answer.searchedFaces) })}
        </EmptyState>
      ) : (
        <CandidateList
          label={t('search.candidates')}
          candidates={shown.matches}
          selected={selected}
          select={select}
        />
      )}
      {shown.mayBeMore ? <p className="soft">{t('search.mayBeMore')}</p> : null}
      {shown.belowCount === 0 ? null : (
        <>
          <div className="row">
            {view.below ? <h3>{t('search.belowTitle')}</h3> : null}
            <Button size="xs" variant="default" onClick={() => change({ below: !view.below })}>
              {view.below
                ? t('search.belowHide')
                : t('search.belowShow', { candidates: count(shown.belowCount) })}
            </Button>
          </div>
          {view.below ? (
            <>
              <p className="soft">{t('search.belowNote')}</p>
              <CandidateList
                label={t('search.belowTitle')}
                candidates={shown.below}
                selected={selected}
                select={select}
                below
              />
            </>
          ) : null}
        </>
      )}
    </div>
  );
}

/** The severity of a listed face is shown with its match only: below the threshold it would raise a false alarm. */
function CandidateList(props: {
  label: string;
  candidates: readonly { candidate: SearchCandidate; reading: ScoreInterpretation }[];
  selected: number | undefined;
  select: (faceId: number) => void;
  below?: boolean;
}) {
  const { label, candidates, selected, select, below } = props;
  const { t } = useTranslation();
  return (
    <ol className={below === true ? 'choices choices-below' : 'choices'} aria-label={label}>
      {candidates.map(({ candidate, reading }) => (
        <li key={candidate.faceId}>
          <button
            type="button"
            className="choice"
            aria-pressed={candidate.faceId === selected}
            onClick={() => select(candidate.faceId)}
          >
            <FaceThumbnail url={candidate.faceImage.thumbnailUrl} name={candidate.name} size={56} />
            <span className="choice-words">
              <strong dir="auto" className="cut">
                {candidate.name}
              </strong>
              {candidate.faceImage.person === null ? null : (
                <span className="cut">
                  {t('facts.person')}: {candidate.faceImage.person.name}
                </span>
              )}
              <span dir="auto" className="soft cut">
                {candidate.blacklistName ?? t('enrol.duplicate')}
              </span>
              {candidate.listing === null || below === true ? null : (
                <SeverityBadge severity={candidate.listing.severity} />
              )}
              <ScoreScale reading={reading} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
