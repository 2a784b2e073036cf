import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { InkPictureView } from '../../../core/contracts/dashboard/signatures.ts';
import { CompareTools } from '../../compare/CompareTools.tsx';
import type { ComparedImage } from '../../compare/compared.ts';
import { Pane } from '../../compare/Pane.tsx';
import { useCompare } from '../../compare/useCompare.ts';
import { useCompareKeys } from '../../compare/useCompareKeys.ts';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { tinted } from './side.ts';

const BLUE = [23, 92, 190] as const;
const ORANGE = [217, 98, 10] as const;

/** The ink of both in one pane, the second as the matcher laid it over the first. */
export function AlignedInk(props: {
  first: InkPictureView;
  second: InkPictureView;
  /** Maps pixels of the second onto the first. */
  onto: readonly number[];
  /** The names of both. */
  captions: readonly [string, string];
  /** The object that the audit log names when this is printed. */
  object: string;
}) {
  const { t } = useTranslation();
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
