import { FaceThumbnail } from './FaceThumbnail.tsx';
import { useWords } from '../i18n/words.tsx';

/** Faces that are shown before an action; the others are counted. */
const SHOWN = 48;

export interface ConcernedFace {
  id: number;
  name: string;
  thumbnailUrl: string | null;
}

/** The people that an action on several rows affects, with their faces. */
export function Concerned({ faces }: { faces: readonly ConcernedFace[] }) {
  const { t, count } = useWords();
  const more = faces.length - SHOWN;
  return (
    <>
      <ul className="concerned">
        {faces.slice(0, SHOWN).map(({ id, name, thumbnailUrl }) => (
          <li key={id} title={name}>
            <FaceThumbnail url={thumbnailUrl} name={name} size={48} />
            <span dir="auto" className="cut">
              {name}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="soft">{t('common.andMore', { count: more, rows: count(more) })}</p> : null}
    </>
  );
}
