import { useState, type ReactNode } from 'react';
import { IconUserCheck, IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FaceImage } from '../../../core/contracts/dashboard/faceImages.ts';
import type {
  SearchAnswer,
  SearchCandidate,
  SearchedFace,
} from '../../../core/contracts/dashboard/search.ts';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { searchReport } from '../../api/search.ts';
import { ReportButton } from '../../components/ReportButton.tsx';
import { useListingFacts } from '../../compare/listingFacts.tsx';
import { SeverityBadge } from '../../components/Severity.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useKeys } from '../../state/keys.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { AddToBlacklist } from './AddToBlacklist.tsx';
import type { Probe } from './probe.ts';
import '../../components/select.css';

/** The faces of the image, the candidates of the chosen one, and both photos side by side. */
export function Result(props: {
  probe: Probe;
  answer: SearchAnswer;
  /** Searches once more, after a person who was found was erased. */
  again: () => void;
}) {
  const { probe, answer, again } = props;
  const { t } = useTranslation();
  const [faceIndex, setFaceIndex] = useState(0);
  const [chosen, setChosen] = useState(0);
  const face = answer.faces[faceIndex];
  const candidate = face?.candidates[chosen];
  const candidates = face?.candidates ?? [];
  const step = (by: number) => setChosen((now) => Math.max(0, Math.min(candidates.length - 1, now + by)));
  useKeys([
    { keys: ['j', 'ArrowDown'], label: t('keys.next'), run: () => step(1) },
    { keys: ['k', 'ArrowUp'], label: t('keys.previous'), run: () => step(-1) },
  ]);
  const choose = (index: number) => {
    setFaceIndex(index);
    setChosen(0);
  };
  const searched = <Boxes probe={probe} answer={answer} chosen={faceIndex} choose={choose} />;
  if (answer.refused !== null || face === undefined)
    return <RefusedProbe code={answer.refused ?? 'NO_FACE'} searched={searched} />;
  return (
    <div className="found">
      <div className="found-side">
        {searched}
        {probe.convertedFrom === null ? null : (
          <p className="soft">{t('search.converted', { format: probe.convertedFrom })}</p>
        )}
        {candidates.length === 0 ? null : (
          <ol className="choices" aria-label={t('search.candidates')}>
            {candidates.map((each, index) => (
              <li key={each.faceId}>
                <CandidateButton candidate={each} on={index === chosen} choose={() => setChosen(index)} />
              </li>
            ))}
          </ol>
        )}
      </div>
      <div className="found-main page-scroll">
        <ResultActions
          probe={probe}
          answer={answer}
          face={face}
          faceIndex={faceIndex}
          candidate={candidate}
          again={again}
        />
        {candidate === undefined ? (
          <NoMatch answer={answer} faceIndex={faceIndex} />
        ) : (
          <Comparison
            key={`${faceIndex}-${candidate.faceId}`}
            probe={probe}
            answer={answer}
            face={face}
            candidate={candidate}
          />
        )}
      </div>
    </div>
  );
}

/** No face was found, or the photo was refused. */
function RefusedProbe({ code, searched }: { code: FailureCode; searched: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="found">
      <div className="found-side">{searched}</div>
      <div className="found-main page-scroll">
        <EmptyState Icon={IconUserQuestion} title={t(`failures.${code}.sentence`)}>
          {t(`failures.${code}.remedy`)}
        </EmptyState>
      </div>
    </div>
  );
}

/** Adds the face to a blacklist, saves the report, erases the person who was found. */
function ResultActions(props: {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  faceIndex: number;
  candidate: SearchCandidate | undefined;
  again: () => void;
}) {
  const { probe, answer, face, faceIndex, candidate, again } = props;
  const { i18n } = useTranslation();
  return (
    <div className="row found-report">
      <AddToBlacklist probe={probe} answer={answer} face={face} candidate={candidate} />
      <ReportButton
        fileName="face-search.pdf"
        make={() =>
          searchReport(probe.file, {
            face: faceIndex,
            candidate: candidate?.faceId,
            file: probe.file.name,
            language: i18n.language,
          })
        }
      />
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
  );
}

function NoMatch({ answer, faceIndex }: { answer: SearchAnswer; faceIndex: number }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <EmptyState Icon={IconUserCheck} title={t('search.noMatch')}>
      {t('search.noMatchHelp', { searched: count(answer.searchedFaces) })}
      {answer.faces.length > 1
        ? ` ${t('search.oneOfSeveral', { number: count(faceIndex + 1), faces: count(answer.faces.length) })}`
        : null}
    </EmptyState>
  );
}

/** Every face in the image is boxed; one is chosen. */
function Boxes(props: {
  probe: Probe;
  answer: SearchAnswer;
  chosen: number;
  choose: (index: number) => void;
}) {
  const { probe, answer, chosen, choose } = props;
  const { t } = useTranslation();
  const width = answer.width ?? 1;
  const height = answer.height ?? 1;
  const share = (value: number, of: number) => `${(value / of) * 100}%`;
  return (
    <div className="boxes">
      <img src={probe.url} alt={t('search.probe')} />
      {answer.faces.map(({ box, quality }, index) => (
        <button
          key={`${box.x},${box.y}`}
          type="button"
          className="box"
          aria-pressed={index === chosen}
          aria-label={t('search.face', { number: index + 1, quality: Math.round(quality) })}
          style={{
            left: share(box.x, width),
            top: share(box.y, height),
            width: share(box.width, width),
            height: share(box.height, height),
          }}
          onClick={() => choose(index)}
        >
          <span className="box-number">{index + 1}</span>
        </button>
      ))}
    </div>
  );
}

function CandidateButton(props: { candidate: SearchCandidate; on: boolean; choose: () => void }) {
  const { candidate, on, choose } = props;
  const { t } = useTranslation();
  return (
    <button type="button" className="choice" aria-pressed={on} onClick={choose}>
      <FaceThumbnail url={candidate.portrait.chipUrl} name={candidate.name} size={48} />
      <span className="choice-words">
        <strong className="cut">{candidate.name}</strong>
        <span className="soft cut">{candidate.blacklistName ?? t('enrol.duplicate')}</span>
        {candidate.listing === null ? null : <SeverityBadge severity={candidate.listing.severity} />}
        <ScoreScale reading={candidate.reading} detail={false} />
      </span>
    </button>
  );
}

interface ComparisonProps {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  candidate: SearchCandidate;
}

function Comparison({ probe, answer, face, candidate }: ComparisonProps) {
  const { t } = useTranslation();
  const facts = useFaceImageFacts();
  const listed = useListingFacts();
  const searched: FaceImage = {
    imageUrl: probe.url,
    chipUrl: face.chip,
    width: answer.width ?? 1,
    height: answer.height ?? 1,
    box: face.box,
    eyes: face.eyes,
    fileName: probe.file.name,
    sha256: probe.sha256,
    quality: Math.round(face.quality),
    pipelineId: answer.pipelineId,
    enrolledAt: null,
  };
  const list = candidate.blacklistName ?? t('enrol.duplicate');
  return (
    <div className="column">
      <div className="found-score">
        <ScoreScale reading={candidate.reading} detail={false} />
        <ScoreMeaning reading={candidate.reading} />
      </div>
      <CompareView
        images={[
          comparedFaceImage(searched, 'probe', t('search.probe')),
          comparedFaceImage(
            candidate.portrait,
            String(candidate.faceId),
            t('face.chip', { name: candidate.name }),
          ),
        ]}
        captions={[t('search.probe'), candidate.name]}
        object={`face:${candidate.faceId}`}
        facts={[
          { label: t('facts.name'), values: ['–', candidate.name] },
          { label: t('search.watchlist'), values: ['–', list] },
          ...listed(candidate.listing),
          ...facts([searched, candidate.portrait]),
        ]}
      />
    </div>
  );
}
