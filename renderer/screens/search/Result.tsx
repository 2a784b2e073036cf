import { useState } from 'react';
import { IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LISTED, type SearchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { mostImportantFace, shownCandidates } from '../../../core/contracts/dashboard/searchView.ts';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useKeys } from '../../state/keys.ts';
import { Candidates } from './Candidates.tsx';
import { Comparison } from './Comparison.tsx';
import { FaceStrip } from './FaceStrip.tsx';
import { ResultActions } from './ResultActions.tsx';
import { SearchPhoto } from './SearchPhoto.tsx';
import { useSearchView } from './useSearchView.ts';
import { ViewControls } from './ViewControls.tsx';
import type { Probe } from './probe.ts';

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
  const { t } = useTranslation();
  const { count } = useFormats();
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
  const step = (by: number) => {
    const at = current === undefined ? 0 : all.indexOf(current);
    setSelected(all[Math.max(0, Math.min(all.length - 1, at + by))]?.candidate.faceId);
  };
  useKeys([
    { keys: ['j', 'ArrowDown'], label: t('search.nextCandidate'), run: () => step(1) },
    { keys: ['k', 'ArrowUp'], label: t('search.previousCandidate'), run: () => step(-1) },
    { keys: ['n', 'ArrowRight'], label: t('search.nextFace'), run: () => chooseFace(faceIndex + 1) },
    { keys: ['p', 'ArrowLeft'], label: t('search.previousFace'), run: () => chooseFace(faceIndex - 1) },
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
          aria-label={t('search.shownSide')}
          data={[
            { value: 'photo', label: t('search.sidePhoto') },
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
  const { t } = useTranslation();
  return (
    <div className="found found-photo">
      <div className="found-view">
        <img className="refused-probe" src={probe.url} alt={t('search.probe')} />
        {probe.convertedFrom === null ? null : (
          <p className="soft">{t('search.converted', { format: probe.convertedFrom })}</p>
        )}
      </div>
      <div className="found-main">
        <EmptyState Icon={IconUserQuestion} title={t(`failures.${code}.sentence`)}>
          {t(`failures.${code}.remedy`)}
        </EmptyState>
      </div>
    </div>
  );
}
