import { IconUserCheck, IconBan, IconCircle, type Icon } from '@tabler/icons-react';
import type {
  SearchAnswer,
  SearchCandidate,
  SearchedFace,
} from '../../../core/contracts/dashboard/search.ts';
import {
  agreeingPhotos,
  bestMatch,
  type SearchView,
  type ShownCandidates,
  type BestMatch,
} from '../../../core/contracts/dashboard/searchView.ts';
import type { ScoreInterpretation } from '../../../core/contracts/dashboard/faceImages.ts';
import { Action, EmptyState } from '../../components/Page.tsx';
import { UnclearBox, FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import type { ReadableImage } from '../../components/readableImage.ts';
import { placeBox, placeLabels, type Size } from '../../compare/geometry.ts';
import { Pane, ZoomTools } from '../../compare/Pane.tsx';
import { useCompare, type Compare } from '../../compare/useCompare.ts';
import { PersonRows } from '../../components/PersonRows.tsx';
import { SeverityBadge } from '../../components/Severity.tsx';
import { ScoreScale } from '../../components/ScoreScale.tsx';
import { useWords } from '../../i18n/words.tsx';
import type { ChosenView } from './ViewControls.tsx';
import '../../compare/compare.css';
import '../../components/parts.css';

/** An image that was searched with: shown from the disk, stored nowhere. */
export interface Probe extends ReadableImage {
  url: string;
}

interface Props {
  probe: Probe;
  answer: SearchAnswer;
  view: SearchView;
  chosen: number;
  choose: (face: number) => void;
}

/** The searched photo with its faces, zoomed and moved like the images of a comparison. */
export function SearchPhoto(props: Props) {
  const { probe, answer } = props;
  const { t } = useWords();
  const compare = useCompare('whole');
  const image = {
    key: 'probe',
    url: probe.url,
    alt: t('search.probe'),
    width: answer.width ?? 1,
    height: answer.height ?? 1,
    eyes: null,
  };
  return (
    <div className="search-photo">
      <Pane
        compare={compare}
        layers={[{ image, turn: 0, opacity: 1 }]}
        label={probe.file.name}
        over={(pane) => <Boxes {...props} compare={compare} pane={pane} />}
      />
      <div className="row">
        <ZoomTools compare={compare} label={t('search.photoTools')} />
        {probe.convertedFrom === null ? null : (
          <p className="soft">{t('search.converted', { format: probe.convertedFrom })}</p>
        )}
      </div>
    </div>
  );
}

/** A box for each face, marked by icon, words and colour with its most important match and its band. */
function Boxes(props: Props & { compare: Compare; pane: Size }) {
  const { answer, view, chosen, choose, compare, pane } = props;
  const { t } = useWords();
  const image = { width: answer.width ?? 1, height: answer.height ?? 1 };
  const unclear = answer.unclear.map((head) => placeBox(head, image, compare.state.view, pane));
  const heads = unclear.map(({ x, y, width, height }) => (
    <UnclearBox key={`${x},${y}`} place={{ left: x, top: y, width, height }} />
  ));
  // Above its box, as wide as its words at most.
  const unclearLabels = unclear.map(({ x, y }) => ({ x, y: y - 20, width: 120, height: 20 }));
  const marked = answer.faces.map((face, index) => {
    const best = bestMatch(answer, face, view);
    const kind = matchKind(best);
    const band = best === null ? '' : ` (${t(`score.${best.reading.band}`)})`;
    const match = `${t(`search.kind_${kind}`)}${band}`;
    const place = placeBox(face.box, image, compare.state.view, pane);
    return { index, face, kind, match, place, words: `${index + 1} ${match}` };
  });
  // The chosen face and matches with a blacklist have the first choice of a place.
  const rank = ({ index, kind }: (typeof marked)[number]) =>
    index === chosen ? 0 : kind === 'blacklist' ? 1 : kind === 'none' ? 3 : 2;
  const inOrder = marked.toSorted((one, other) => rank(one) - rank(other));
  const labels = new Map(
    placeLabels(inOrder, pane, unclearLabels).map((label, place) => [inOrder[place]?.index, label] as const),
  );
  const faces = marked.map(({ index, face, kind, match, place, words }) => {
    const Mark = MATCH_ICONS[kind];
    const label = labels.get(index) ?? null;
    return (
      <button
        key={`${face.box.x},${face.box.y}`}
        type="button"
        className={`box box-${kind}`}
        aria-pressed={index === chosen}
        aria-label={t('search.face', {
          number: index + 1,
          match,
          quality: Math.round(face.quality),
        })}
        style={{ left: place.x, top: place.y, width: place.width, height: place.height }}
        onClick={() => choose(index)}
      >
        {label === null ? null : (
          <span className="box-number" style={{ left: label.x - place.x, top: label.y - place.y }}>
            <Mark size={13} aria-hidden /> {label.isLong ? words : index + 1}
          </span>
        )}
      </button>
    );
  });
  return [...heads, ...faces];
}

/** The matches of the chosen face, and on request the nearest candidates below the threshold. */
export function Candidates(props: {
  answer: SearchAnswer;
  face: SearchedFace;
  shown: ShownCandidates<SearchCandidate>;
  chosen: ChosenView;
  /** The face id of the selected candidate. */
  selected: number | undefined;
  select: (faceId: number) => void;
}) {
  const { answer, face, shown, chosen, selected, select } = props;
  const { view, change } = chosen;
  const agreeing = (candidate: SearchCandidate) => agreeingPhotos(answer, face, view, candidate);
  const { t, count } = useWords();
  return (
    <div className="column">
      {shown.matches.length === 0 ? (
        <EmptyState
          Icon={IconUserCheck}
          title={t('validations.noMatch')}
          help={t('search.noMatchHelp', { searched: count(answer.searchedFaces) })}
        />
      ) : (
        <CandidateList
          label={t('search.candidates')}
          candidates={shown.matches}
          agreeing={agreeing}
          selected={selected}
          select={select}
        />
      )}
      {shown.mayBeMore ? <p className="soft">{t('search.mayBeMore')}</p> : null}
      {shown.belowCount === 0 ? null : (
        <>
          <div className="row">
            {view.below ? <h3>{t('search.belowTitle')}</h3> : null}
            <Action
              size="xs"
              label={
                view.below
                  ? t('search.belowHide')
                  : t('search.belowShow', { candidates: count(shown.belowCount) })
              }
              onClick={() => change({ below: !view.below })}
            />
          </div>
          {view.below ? (
            <>
              <p className="soft">{t('search.belowNote')}</p>
              <CandidateList
                label={t('search.belowTitle')}
                candidates={shown.below}
                agreeing={agreeing}
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
  agreeing: (candidate: SearchCandidate) => number;
  selected: number | undefined;
  select: (faceId: number) => void;
  below?: boolean;
}) {
  const { label, candidates, agreeing, selected, select, below } = props;
  const { t } = useWords();
  return (
    <PersonRows
      className={below === true ? 'choices choices-below' : 'choices'}
      label={label}
      matches={candidates}
      of={({ candidate }) => ({
        key: String(candidate.faceId),
        list: candidate.blacklistName,
        personId: candidate.personId,
        photos: candidate.photos,
        agreeing: agreeing(candidate),
        photoScore: candidate.photoScore,
        samePicture: candidate.samePicture,
      })}
      chosen={selected === undefined ? undefined : String(selected)}
      row={({ candidate, reading }) => (
        <button
          type="button"
          className="choice"
          aria-pressed={candidate.faceId === selected}
          onClick={() => select(candidate.faceId)}
        >
          <FaceThumbnail url={candidate.faceImage.thumbnailUrl} name={candidate.name} size={56} />
          <span className="choice-words">
            <strong dir="auto" className="cut">
              {candidate.faceImage.person?.name ?? candidate.name}
            </strong>
            {candidate.faceImage.person === null ? null : (
              <span className="cut">
                {t('facts.photo')}: <bdi>{candidate.name}</bdi>
              </span>
            )}
            <span dir="auto" className="soft cut">
              {candidate.blacklistName ?? t('common.mainGallery')}
            </span>
            {candidate.listing === null || below === true ? null : (
              <SeverityBadge severity={candidate.listing.severity} />
            )}
            <ScoreScale reading={reading} />
          </span>
        </button>
      )}
    />
  );
}

/** The most important match of a face, as it is marked on the photo and in the strip of faces. */
type MatchKind = 'blacklist' | 'watchlist' | 'none';

export const MATCH_ICONS: Record<MatchKind, Icon> = {
  blacklist: IconBan,
  watchlist: IconUserCheck,
  none: IconCircle,
};

export function matchKind(best: BestMatch<SearchCandidate> | null): MatchKind {
  if (best === null) return 'none';
  return best.candidate.watchlist === 'blacklist' ? 'blacklist' : 'watchlist';
}
