import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { InkPictureView } from '../../../core/contracts/dashboard/signatures.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import type { ComparedFact, ComparedImage } from '../../compare/geometry.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useWords } from '../../i18n/words.tsx';
import { type Side, tinted } from './Sides.tsx';
import { CompareTools } from '../../compare/CompareTools.tsx';
import { Pane } from '../../compare/Pane.tsx';
import { useCompare, useCompareKeys } from '../../compare/useCompare.ts';
import { ErrorState, LoadingRows } from '../../components/Page.tsx';

const VIEWS = ['images', 'ink', 'aligned'] as const;
type View = (typeof VIEWS)[number];

/** Two compared signatures. */
export interface ViewedPair {
  captions: readonly [string, string];
  sides: readonly [Side, Side];
  /** Null: no ink was found. */
  ink: readonly [InkPictureView | null, InkPictureView | null];
  /** Maps pixels of the second picture of ink onto the first; null: not compared. */
  alignment: readonly number[] | null;
  sha256: readonly [string, string];
  modelVersion: string;
  /** The object that the audit log names when the pair is printed. */
  object: string;
}

/** The images, the extracted ink, or both inks overlaid. */
export function PairViews({ pair }: { pair: ViewedPair }) {
  const { t } = useWords();
  const [view, setView] = useState<View>('images');
  return (
    <>
      <SegmentedControl
        className="signature-views"
        size="xs"
        aria-label={t('common.view')}
        data={VIEWS.map((value) => ({ value, label: t(`signatures.view_${value}`) }))}
        value={view}
        onChange={setView}
      />
      <Shown view={view} pair={pair} />
    </>
  );
}

function Shown({ view, pair }: { view: View; pair: ViewedPair }) {
  const { t } = useWords();
  const facts = useSideFacts(pair);
  const { alignment, captions, ink, object, sides } = pair;
  if (view === 'images')
    return (
      <CompareView
        images={[imageOf(sides[0], captions[0]), imageOf(sides[1], captions[1])]}
        captions={captions}
        facts={facts}
        object={object}
      />
    );
  if (view === 'aligned')
    return ink[0] === null || ink[1] === null || alignment === null ? (
      <p className="soft">{t('signatures.noAlignment')}</p>
    ) : (
      <AlignedInk first={ink[0]} second={ink[1]} onto={alignment} captions={captions} object={object} />
    );
  return (
    <>
      <p className="soft">{t('signatures.inkNote')}</p>
      <CompareView
        key="ink"
        images={[inkOf(ink[0], captions[0]), inkOf(ink[1], captions[1])]}
        captions={captions}
        facts={facts}
        object={object}
        none={t('signatures.noPicture')}
      />
    </>
  );
}

function imageOf({ url, width, height }: Side, alt: string): ComparedImage {
  return { key: url, url, alt, width, height, eyes: null };
}

function inkOf(picture: InkPictureView | null, alt: string): ComparedImage {
  const { url = null, width = 1, height = 1 } = picture ?? {};
  return { key: `ink-${alt}`, url, alt, width, height, eyes: null };
}

function useSideFacts({ sides: [first, second], sha256, modelVersion }: ViewedPair): ComparedFact[] {
  const { t, bytes, count, list } = useWords();
  const size = ({ width, height, file }: Side) =>
    list([`${count(width)} × ${count(height)}`, bytes(file.size)]);
  const code = (text: string) => <span className="mono ltr">{text}</span>;
  return [
    { label: t('facts.file'), values: [first.file.name, second.file.name] },
    { label: t('facts.size'), values: [size(first), size(second)] },
    { label: t('facts.sha256'), values: [code(sha256[0]), code(sha256[1])] },
    { label: t('facts.pipeline'), values: [code(modelVersion), code(modelVersion)] },
  ];
}

const BLUE = [23, 92, 190] as const;
const ORANGE = [217, 98, 10] as const;

/** The ink of both in one pane, the second as the matcher laid it over the first. */
function AlignedInk(props: {
  first: InkPictureView;
  second: InkPictureView;
  /** Maps pixels of the second onto the first. */
  onto: readonly number[];
  /** The names of both. */
  captions: readonly [string, string];
  /** The object that the audit log names when this is printed. */
  object: string;
}) {
  const { t } = useWords();
  const { first, second, onto, captions, object } = props;
  const compare = useCompare('whole');
  useCompareKeys(compare, { of: 'one' });
  const { data, error } = useQuery({
    queryKey: ['tinted', first.url, second.url],
    gcTime: 0,
    queryFn: async () => [await tinted(first.url, BLUE), await tinted(second.url, ORANGE)] as const,
  });
  if (error !== null) return <ErrorState error={error} />;
  if (data === undefined) return <LoadingRows rows={6} />;
  const frame = { width: first.width, height: first.height };
  const image = (key: string, url: string, size: InkPictureView, map?: readonly number[]): ComparedImage => ({
    key,
    url,
    alt: captions[key === 'first' ? 0 : 1],
    width: size.width,
    height: size.height,
    eyes: null,
    laid: map && { frame, map },
  });
  return (
    <section className="compare" aria-label={t('signatures.view_aligned')}>
      <p className="soft">{t('signatures.alignedNote', { first: captions[0], second: captions[1] })}</p>
      <div className="compare-panes aligned-ink">
        <Pane
          compare={compare}
          layers={[
            { image: image('first', data[0], first), turn: compare.state.turns[0], opacity: 1 },
            { image: image('second', data[1], second, onto), turn: compare.state.turns[0], opacity: 1 },
          ]}
          label={t('signatures.view_aligned')}
          badge={<span className="compare-aid">{t('compare.aid')}</span>}
        />
      </div>
      <CompareTools compare={compare} of="one" object={object} />
    </section>
  );
}
