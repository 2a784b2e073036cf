import { useState } from 'react';
import { IconCopy, IconShieldExclamation, IconHandStop, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Alert } from '@mantine/core';
import type { TFunction } from 'i18next';
import type {
  ValidationDetail,
  HistoryEntry,
  ValidationSource,
} from '../../../core/contracts/dashboard/validations.ts';
import { thresholdMeaning } from '../../../core/contracts/certainty.ts';
import { ofTexts, LISTING_TEXT_NAMES } from '../../../core/contracts/faceListing.ts';
import type { IncompleteCode } from '../../../core/contracts/incomplete.ts';
import { ExamineButton } from '../../components/ExamineButton.tsx';
import { CompareView } from '../../compare/CompareView.tsx';
import { PersonRows } from '../../components/PersonRows.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import {
  comparedFaceImage,
  useFaceImageFacts,
  useListingFacts,
  FaceImageFacts,
} from '../../compare/faceImageFacts.tsx';
import { SeverityBadge, severityOfMatch } from '../../components/Severity.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { useDrawn } from '../../components/useDrawn.ts';
import { type Match, matchesOf, matchName, validationName } from './matches.ts';
import { Fact, StatusBadge, Time } from '../../components/StatusBadge.tsx';
import { caseReport } from '../../api/validations.ts';
import { PortraitChecks } from '../../components/PortraitChecks.tsx';
import { ReportButton } from '../../components/ExportButton.tsx';
import { useCertainty, useWords } from '../../i18n/words.tsx';
import '../../components/parts.css';

/** Entries of the history in which a reviewer decides. */
const DECISIONS: ReadonlySet<string> = new Set(['verified', 'rejected', 'returned-to-review']);

/** The matches to choose from, each with its score on the scale. */
export function MatchList(props: {
  matches: readonly Match[];
  chosen: string;
  choose: (key: string) => void;
}) {
  const { t } = useWords();
  const { matches, chosen, choose } = props;
  return (
    <PersonRows
      className="choices matches"
      label={t('validations.matches')}
      matches={matches}
      of={({ key, list, personMatch: { id, photoSimilarityScore, ...person } }) => ({
        key,
        list,
        personId: id,
        photoScore: photoSimilarityScore,
        ...person,
      })}
      chosen={chosen}
      row={(match) => {
        const Icon = match.kind === 'blacklist' ? IconShieldExclamation : IconCopy;
        return (
          <button
            type="button"
            className="choice match"
            aria-pressed={match.key === chosen}
            onClick={() => choose(match.key)}
          >
            <FaceThumbnail url={match.faceImage.thumbnailUrl} name={matchName(t, match)} size={44} />
            <span className="choice-words">
              <span dir="auto" className="match-name cut">
                {matchName(t, match)}
              </span>
              <span className={`match-kind cut hit${match.kind === 'blacklist' ? ' hit-blacklist' : ''}`}>
                <Icon size={14} stroke={1.8} aria-hidden />
                <span dir="auto" className="cut">
                  {match.list ?? t('validations.duplicateDetected')}
                </span>
              </span>
            </span>
            {match.severity === null ? null : <SeverityBadge severity={match.severity} />}
            <span className="match-score">
              <ScoreScale reading={match.reading} />
              {match.key === chosen ? <ScoreMeaning reading={match.reading} /> : null}
            </span>
          </button>
        );
      }}
    />
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
  const { t } = useWords();
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
  const idLabel = t(match.kind === 'duplicate' ? 'validations.validationId' : 'facts.faceUploadId');
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
          comparedFaceImage(match.faceImage, match.key, t('face.thumbnail', { name: matchName(t, match) })),
        ]}
        captions={[t('validations.thisOne', { id: detail.id }), match.list ?? matchName(t, match)]}
        object={`validation:${detail.id}`}
        drawn={drawn}
        actions={
          <>
            <ExamineButton pair={[own, match.faceImage]} />
            <CaseReportButton id={detail.id} match={`${match.kind}:${match.id}`} />
          </>
        }
        paper={<PaperFacts detail={detail} match={match} />}
        facts={[
          { label: t('facts.name'), values: [validationName(t, detail), matchName(t, match)] },
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
  const { t } = useWords();
  useDrawn([], drawn);
  return <p className="soft">{t('face.noImage')}</p>;
}

/** On paper: the score with its meaning, and the decisions of the reviewers. */
function PaperFacts({ detail, match }: { detail: ValidationDetail; match: Match }) {
  const { t } = useWords();
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

/**
 * The history of a validation: actor, action and time, the oldest first.
 * @param props.source what the validation came from: a photo of enrolment was enrolled, not verified
 */
export function History(props: { entries: readonly HistoryEntry[]; source?: ValidationSource }) {
  const { entries, source } = props;
  const { t } = useWords();
  return (
    <ol className="history">
      {entries.map((entry, index) => (
        <li key={`${index}${entry.at}`}>
          <div className="row">
            <strong>
              {source === 'enrolment' && entry.action === 'verified'
                ? t('status.enrolled')
                : t(`validations.action_${entry.action}`)}
            </strong>
            {entry.status === null ? null : (
              <StatusBadge of="validation" code={entry.status} source={source} />
            )}
          </div>
          <p className="row soft">
            <span>{t('common.by', { name: entry.operator ?? t('common.service') })}</span>
            <span className="push">
              <Time at={entry.at} />
            </span>
          </p>
          {entry.failureCode === null ? null : (
            <p className="history-note">{t(`failures.${entry.failureCode}.sentence`)}</p>
          )}
          {entry.note === null ? null : (
            <p className="history-note" dir="auto">
              {entry.note}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Saves the case as a PDF. `match`: the only match that the report shows side by side; all are listed. */
export function CaseReportButton({ id, match }: { id: number; match?: string }) {
  const { language } = useWords();
  const make = () => caseReport(id, { language, match });
  return <ReportButton fileName={`validation-${id}.pdf`} make={make} />;
}

/**
 * The most urgent match on a blacklist, before everything else: whom it names, the list, the severity, and the reason with what
 * to do. Nothing after the decision that these are different persons.
 */
export function BlacklistAlert({ detail }: { detail: ValidationDetail }) {
  const { t } = useWords();
  const match = matchesOf(detail).find(({ kind }) => kind === 'blacklist');
  const severity = severityOfMatch(detail.status, match ?? null);
  if (match === undefined || severity === null) return null;
  return (
    <section
      className={`blacklist-alert blacklist-alert-${severity}`}
      aria-label={t('common.blacklistMatch')}
    >
      <IconHandStop size={22} aria-hidden />
      <div className="column">
        <p className="row wrap">
          <SeverityBadge severity={severity} />
          <strong>
            <bdi>{matchName(t, match)}</bdi>
          </strong>
          <span>
            {t('validations.onBlacklist')} <bdi>{match.list}</bdi>
          </span>
        </p>
        {LISTING_TEXT_NAMES.map((field) => (
          <p key={field}>{match[field] === null ? t(`listing.no_${field}`) : <bdi>{match[field]}</bdi>}</p>
        ))}
      </div>
    </section>
  );
}

export function Summary(props: {
  detail: ValidationDetail;
  /** Called when the photo is on screen. */
  drawn?: () => void;
}) {
  const { detail, drawn } = props;
  const { t, count, list, flowName } = useWords();
  const certainty = useCertainty();
  const { faceImage, screening } = detail;
  const none = t('common.none');
  const photo = faceImage?.imageUrl ?? null;
  const ready = useDrawn(photo === null ? [] : [photo], drawn);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  return (
    <div className="summary">
      {detail.incompleteReason === null ? null : <IncompleteReason code={detail.incompleteReason} />}
      {photo === null ? null : photo === unreadable ? (
        <p className="soft">{t('face.unreadable')}</p>
      ) : (
        <img
          className="summary-photo"
          src={photo}
          alt={t('face.thumbnail', { name: detail.name })}
          onLoad={() => ready(photo)}
          onError={() => {
            setUnreadable(photo);
            ready(photo);
          }}
        />
      )}
      <dl className="facts">
        <Fact label={t('validations.column_flow')}>{flowName(detail.trustFlowName)}</Fact>
        {detail.reference === null ? null : (
          <Fact label={t('verify.reference')}>
            <bdi>{detail.reference}</bdi>
          </Fact>
        )}
        <Fact label={t('validations.column_created')} at={detail.createdAt} />
        <Fact label={t('validations.column_finalized')} at={detail.finalizedAt} />
        <Fact label={t('validations.screenedAt')} at={screening.at} />
        {screening.photos < 2 ? null : (
          <Fact label={t('validations.photosCompared')}>{count(screening.photos)}</Fact>
        )}
        <Fact label={t('validations.screenedDuplicates')}>
          {t(screening.duplicates ? 'validations.yes' : 'validations.no')}
        </Fact>
        <Fact label={t('validations.screenedBlacklists')}>
          {screening.blacklists.length === 0 ? none : list(screening.blacklists)}
        </Fact>
        {screening.thresholds.map(({ list: name, ...threshold }) => (
          <Fact key={name} label={t('validations.rate', { list: name ?? t('common.enrolledFaces') })}>
            {thresholdMeaning(certainty, threshold, count)}
          </Fact>
        ))}
        {screening.notScreened.length === 0 ? null : (
          <Fact label={t('validations.gone')}>{list(screening.notScreened)}</Fact>
        )}
        {faceImage === null ? null : <FaceImageFacts faceImage={faceImage} without="enrolled" />}
      </dl>
      {faceImage === null ? null : (
        <div className="summary-checks">
          <PortraitChecks faceImage={faceImage} />
        </div>
      )}
    </div>
  );
}

/** @returns one sentence: what kept the verification from a screening */
export function incompleteSentence(t: TFunction, code: IncompleteCode): string {
  return code === 'NO_SELFIE' ? t('validations.noSelfie.sentence') : t(`failures.${code}.sentence`);
}

/** Why a verification is Incomplete, and what to do. */
function IncompleteReason({ code }: { code: IncompleteCode }) {
  const { t } = useWords();
  const remedy =
    code === 'NO_SELFIE'
      ? t('validations.noSelfie.remedy')
      : `${t(`failures.${code}.remedy`)} ${t('validations.verifyAgain')}`;
  return (
    <Alert
      className="incomplete-reason"
      variant="light"
      color="gray"
      icon={<IconCircleDashed size={18} aria-hidden />}
      title={incompleteSentence(t, code)}
    >
      {remedy}
    </Alert>
  );
}
