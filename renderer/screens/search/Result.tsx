import { useState } from 'react';
import { IconUserQuestion } from '@tabler/icons-react';
import {
  LISTED,
  type SearchAnswer,
  type SearchCandidate,
  type SearchedFace,
  type SearchReportRequest,
} from '../../../core/contracts/dashboard/search.ts';
import {
  mostImportantFace,
  shownCandidates,
  bestMatch,
  type SearchView,
} from '../../../core/contracts/dashboard/searchView.ts';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import type { FaceImage, ScoreInterpretation } from '../../../core/contracts/dashboard/faceImages.ts';
import { Action, EmptyState, ErrorLine } from '../../components/Page.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useWords } from '../../i18n/words.tsx';
import { useChosenByKey } from '../../state/focus.ts';
import { useKeys } from '../../state/keys.ts';
import { Candidates, SearchPhoto, MATCH_ICONS, matchKind, type Probe } from './SearchPhoto.tsx';
import { useSearchView, ViewControls } from './ViewControls.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { AddToCaseFolder } from '../../components/AddToCaseFolder.tsx';
import { ExamineButton } from '../../components/ExamineButton.tsx';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts, useListingFacts } from '../../compare/faceImageFacts.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { ApiError } from '../../api/client.ts';
import { searchReport } from '../../api/validations.ts';
import { ReportButton } from '../../components/ExportButton.tsx';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { AddToBlacklist } from './AddToBlacklist.tsx';

interface ResultProps {
  probe: Probe;
  answer: SearchAnswer;
  /** Searches once more, after a person who was found was erased, or when the result has expired. */
  again: () => void;
}

/** The result of a search, or why there is none. */
export function Result(props: ResultProps) {
  const { probe, answer } = props;
  if (answer.refused !== null || answer.faces.length === 0)
    return <RefusedProbe code={answer.refused ?? 'NO_FACE'} probe={probe} />;
  return <FoundFaces {...props} />;
}

type Shown = 'photo' | 'comparison';

/** The photo or a comparison on one side; the chosen face and its candidates on the other. */
function FoundFaces({ probe, answer, again }: ResultProps) {
  const { t, count } = useWords();
  const chosen = useSearchView(answer.id);
  const { view } = chosen;
  const [faceIndex, setFaceIndex] = useState(() => mostImportantFace(answer, view));
  const [selected, setSelected] = useState<number>();
  const [shownSide, setShownSide] = useState<Shown>('photo');
  const face = answer.faces[faceIndex];
  const candidates = face && shownCandidates(answer, face, view, LISTED);
  const all = candidates === undefined ? [] : [...candidates.matches, ...candidates.below];
  const current = all.find(({ candidate }) => candidate.faceId === selected) ?? all[0];
  const side: Shown = current === undefined ? 'photo' : shownSide;
  const chooseFace = (index: number) => {
    setFaceIndex(Math.max(0, Math.min(answer.faces.length - 1, index)));
    setSelected(undefined);
  };
  const byKey = useChosenByKey('.found-main .choice[aria-pressed=true]', current);
  const step = (by: number) => {
    byKey();
    const at = current === undefined ? 0 : all.indexOf(current);
    setSelected(all[Math.max(0, Math.min(all.length - 1, at + by))]?.candidate.faceId);
  };
  useKeys([
    { keys: ['j', 'ArrowDown'], label: t('search.nextCandidate'), run: () => step(1) },
    { keys: ['k', 'ArrowUp'], label: t('search.previousCandidate'), run: () => step(-1) },
    { keys: ['n', 'Forward'], label: t('search.nextFace'), run: () => chooseFace(faceIndex + 1) },
    { keys: ['p', 'Back'], label: t('search.previousFace'), run: () => chooseFace(faceIndex - 1) },
    {
      keys: ['c'],
      label: t('search.switchSide'),
      run: () => setShownSide(side === 'photo' ? 'comparison' : 'photo'),
    },
  ]);
  if (face === undefined || candidates === undefined) return null;
  return (
    <div className={`found found-${side}`}>
      <div className="found-view">
        <SegmentedControl
          aria-label={t('common.view')}
          data={[
            { value: 'photo', label: t('facts.photo') },
            { value: 'comparison', label: t('search.sideComparison') },
          ]}
          value={side}
          disabled={current === undefined}
          onChange={setShownSide}
        />
        {side === 'photo' || current === undefined ? (
          <SearchPhoto probe={probe} answer={answer} view={view} chosen={faceIndex} choose={chooseFace} />
        ) : (
          <Comparison
            key={`${faceIndex}-${current.candidate.faceId}`}
            probe={probe}
            answer={answer}
            face={face}
            {...current}
          />
        )}
        {answer.faces.length > 1 ? (
          <FaceStrip answer={answer} view={view} chosen={faceIndex} choose={chooseFace} />
        ) : null}
      </div>
      <div className="found-main column">
        <h2>{t('search.faceOf', { number: count(faceIndex + 1), faces: count(answer.faces.length) })}</h2>
        <ResultActions
          key={answer.id}
          probe={probe}
          answer={answer}
          face={face}
          candidate={current?.candidate}
          seen={{
            view,
            face: faceIndex,
            candidate: side === 'comparison' ? (current?.candidate.faceId ?? null) : null,
          }}
          error={chosen.error}
          again={again}
        />
        <ViewControls answer={answer} chosen={chosen} />
        <Candidates
          answer={answer}
          face={face}
          shown={candidates}
          chosen={chosen}
          selected={current?.candidate.faceId}
          select={(faceId) => {
            setSelected(faceId);
            setShownSide('comparison');
          }}
        />
      </div>
    </div>
  );
}

/** No face was found, or the photo was refused. */
function RefusedProbe({ code, probe }: { code: FailureCode; probe: Probe }) {
  const { t } = useWords();
  return (
    <div className="found found-photo">
      <div className="found-view">
        <img className="refused-probe" src={probe.url} alt={t('search.probe')} />
        {probe.convertedFrom === null ? null : (
          <p className="soft">{t('search.converted', { format: probe.convertedFrom })}</p>
        )}
      </div>
      <div className="found-main">
        <EmptyState
          Icon={IconUserQuestion}
          title={t(`failures.${code}.sentence`)}
          help={t(`failures.${code}.remedy`)}
        />
      </div>
    </div>
  );
}

/** All faces of the photo with the score and the band of their most important match. */
function FaceStrip(props: {
  answer: SearchAnswer;
  view: SearchView;
  chosen: number;
  choose: (face: number) => void;
}) {
  const { answer, view, chosen, choose } = props;
  const { t, decimal } = useWords();
  return (
    <ol className="face-strip" aria-label={t('search.faces')}>
      {answer.faces.map((face, index) => {
        const best = bestMatch(answer, face, view);
        const kind = matchKind(best);
        const Mark = MATCH_ICONS[kind];
        return (
          <li key={`${face.box.x},${face.box.y}`}>
            <button
              type="button"
              className={`face-strip-item kind-${kind}`}
              aria-pressed={index === chosen}
              onClick={() => choose(index)}
            >
              <FaceThumbnail
                url={face.thumbnail}
                name={t('search.faceNumber', { number: index + 1 })}
                size={56}
              />
              <span className="face-strip-words">
                <span>{t('search.faceNumber', { number: index + 1 })}</span>
                <strong className="kind">
                  <Mark size={13} aria-hidden /> {t(`search.kind_${kind}`)}
                </strong>
                {best === null ? null : (
                  <span>
                    {decimal(best.reading.score)} {t(`score.${best.reading.band}`)}
                  </span>
                )}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The searched face and a candidate side by side, with the score and its meaning. */
function Comparison(props: {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  candidate: SearchCandidate;
  reading: ScoreInterpretation;
}) {
  const { probe, answer, face, candidate, reading } = props;
  const { t } = useWords();
  const facts = useFaceImageFacts();
  const listed = useListingFacts();
  const searched: FaceImage = {
    imageUrl: probe.url,
    thumbnailUrl: face.thumbnail,
    width: answer.width ?? 1,
    height: answer.height ?? 1,
    box: face.box,
    eyes: face.eyes,
    fileName: probe.file.name,
    sha256: answer.sha256,
    quality: Math.round(face.quality),
    pipelineId: answer.pipelineId,
    enrolledAt: null,
    person: null,
  };
  const list = candidate.blacklistName ?? t('common.mainGallery');
  return (
    <div className="column">
      <div className="found-score">
        <ScoreScale reading={reading} />
        <ScoreMeaning reading={reading} />
      </div>
      <CompareView
        images={[
          comparedFaceImage(searched, 'probe', t('search.probe')),
          comparedFaceImage(
            candidate.faceImage,
            String(candidate.faceId),
            t('face.thumbnail', { name: candidate.name }),
          ),
        ]}
        captions={[t('search.probe'), candidate.name]}
        object={`face:${candidate.faceId}`}
        actions={
          <>
            <ExamineButton
              pair={[{ file: probe.file, face: answer.faces.indexOf(face) }, candidate.faceImage]}
            />
            <AddToCaseFolder item={{ face: candidate.faceId }} />
          </>
        }
        facts={[
          { label: t('facts.name'), values: ['–', candidate.name] },
          { label: t('common.list'), values: ['–', list] },
          ...listed(candidate.listing),
          ...facts([searched, candidate.faceImage]),
        ]}
      />
    </div>
  );
}

/** Whether the service no longer holds a result. */
const hasExpired = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'SEARCH_EXPIRED';

/** Adds the face to a blacklist, saves the report, erases the person who was found. */
function ResultActions(props: {
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
  const { t, language } = useWords();
  const [unreported, setUnreported] = useState<Error | null>(null);
  const make = async () => {
    try {
      return await searchReport(answer.id, {
        ...seen,
        file: probe.file.name,
        language: language === 'ar' ? 'ar' : 'en',
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
      {expired === undefined ? null : <Action primary size="xs" label={t('search.again')} onClick={again} />}
    </div>
  );
}
