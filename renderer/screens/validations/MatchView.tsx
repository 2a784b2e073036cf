import { IconCopy, IconShieldExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { CaseReportButton } from './CaseReportButton.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { useListingFacts } from '../../compare/listingFacts.tsx';
import { SeverityBadge } from '../../components/Severity.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { History } from './History.tsx';
import { useDrawn } from '../../components/useDrawn.ts';
import type { Match } from './matches.ts';
import '../../components/select.css';
import { ofTexts } from '../../../core/contracts/faceListing.ts';

/** Entries of the history in which a reviewer decides. */
const DECISIONS: ReadonlySet<string> = new Set(['verified', 'rejected', 'returned-to-review']);

/** The matches to choose from, each with its score on the scale. */
export function MatchList(props: {
  matches: readonly Match[];
  chosen: string;
  choose: (key: string) => void;
}) {
  const { t } = useTranslation();
  const { matches, chosen, choose } = props;
  return (
    <ul className="choices matches" aria-label={t('validations.matches')}>
      {matches.map((match) => {
        const Icon = match.kind === 'blacklist' ? IconShieldExclamation : IconCopy;
        return (
          <li key={match.key}>
            <button
              type="button"
              className="choice match"
              aria-pressed={match.key === chosen}
              onClick={() => choose(match.key)}
            >
              <FaceThumbnail url={match.faceImage.thumbnailUrl} name={match.name} size={44} />
              <span className="choice-words">
                <span dir="auto" className="match-name cut">
                  {match.name}
                </span>
                <span className={`match-kind cut hit${match.kind === 'blacklist' ? ' hit-blacklist' : ''}`}>
                  <Icon size={14} stroke={1.8} aria-hidden />
                  {match.list ?? t('validations.duplicateDetected')}
                </span>
              </span>
              {match.severity === null ? null : <SeverityBadge severity={match.severity} />}
              <span className="match-score">
                <ScoreScale reading={match.reading} />
                {match.key === chosen ? <ScoreMeaning reading={match.reading} /> : null}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The validation's own photo beside the one it resembles. */
export function MatchCompare(props: {
  detail: ValidationDetail;
  match: Match;
  /** Called when both faces are on screen. */
  drawn?: () => void;
}) {
  const { detail, match, drawn } = props;
  const { t } = useTranslation();
  const facts = useFaceImageFacts();
  const listed = useListingFacts();
  const own = match.earlierSelfie ?? detail.faceImage;
  if (own === null) return <NoPhoto drawn={drawn} />;
  const link =
    match.kind === 'duplicate' ? (
      <Link to={`/validations/${match.id}`}>{match.id}</Link>
    ) : (
      <span>{match.id}</span>
    );
  const idLabel = t(match.kind === 'duplicate' ? 'validations.validationId' : 'validations.faceUploadId');
  return (
    <div className="column">
      {match.earlierSelfie === null ? null : (
        <p className="soft" role="status">
          {t('validations.earlierSelfie')}
        </p>
      )}
      <CompareView
        images={[
          comparedFaceImage(own, 'own', t('face.thumbnail', { name: detail.name })),
          comparedFaceImage(match.faceImage, match.key, t('face.thumbnail', { name: match.name })),
        ]}
        captions={[t('validations.thisOne', { id: detail.id }), match.list ?? match.name]}
        object={`validation:${detail.id}`}
        drawn={drawn}
        actions={<CaseReportButton id={detail.id} match={`${match.kind}:${match.id}`} />}
        paper={<PaperFacts detail={detail} match={match} />}
        facts={[
          { label: t('facts.name'), values: [detail.name, match.name] },
          ...listed(
            match.severity === null
              ? null
              : { severity: match.severity, ...ofTexts((field) => match[field]) },
          ),
          { label: idLabel, values: [match.kind === 'duplicate' ? detail.id : '–', link] },
          ...facts([own, match.faceImage]),
        ]}
      />
    </div>
  );
}

function NoPhoto({ drawn }: { drawn: (() => void) | undefined }) {
  const { t } = useTranslation();
  useDrawn([], drawn);
  return <p className="soft">{t('face.noImage')}</p>;
}

/** On paper: the score with its meaning, and the decisions of the reviewers. */
function PaperFacts({ detail, match }: { detail: ValidationDetail; match: Match }) {
  const { t } = useTranslation();
  const decided = detail.history.filter(({ action }) => DECISIONS.has(action));
  return (
    <>
      <ScoreScale reading={match.reading}>
        <ScoreMeaning reading={match.reading} />
      </ScoreScale>
      {decided.length === 0 ? <p>{t('validations.undecided')}</p> : <History entries={decided} />}
    </>
  );
}
