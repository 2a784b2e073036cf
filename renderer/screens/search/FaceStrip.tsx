import { useTranslation } from 'react-i18next';
import type { SearchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { bestMatch, type SearchView } from '../../../core/contracts/dashboard/searchView.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { useFormats } from '../../i18n/format.ts';
import { MATCH_ICONS, matchKind } from './matchKind.tsx';

/** All faces of the photo with the score and the band of their most important match. */
export function FaceStrip(props: {
  answer: SearchAnswer;
  view: SearchView;
  chosen: number;
  choose: (face: number) => void;
}) {
  const { answer, view, chosen, choose } = props;
  const { t } = useTranslation();
  const { decimal } = useFormats();
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
