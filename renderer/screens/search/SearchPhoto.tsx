import { useTranslation } from 'react-i18next';
import type { SearchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { bestMatch, type SearchView } from '../../../core/contracts/dashboard/searchView.ts';
import { UnclearBox } from '../../components/FaceBox.tsx';
import { placeBox, type Size } from '../../compare/geometry.ts';
import { Pane } from '../../compare/Pane.tsx';
import { ZoomTools } from '../../compare/ZoomTools.tsx';
import { useCompare, type Compare } from '../../compare/useCompare.ts';
import { placeLabels } from './labels.ts';
import { MATCH_ICONS, matchKind } from './matchKind.tsx';
import type { Probe } from './probe.ts';
import '../../compare/compare.css';

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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
