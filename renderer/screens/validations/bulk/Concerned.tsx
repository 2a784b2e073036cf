import type { ReactNode } from 'react';
import type { ValidationRow } from '../../../../core/contracts/dashboard/validations.ts';
import { FaceThumbnail } from '../../../components/FaceThumbnail.tsx';
import { useWords } from '../../../i18n/words.tsx';
import { validationName } from '../matches.ts';

/** Faces that are shown before an action; the others are counted. */
const SHOWN = 48;

/** The people that a bulk action affects, with their faces. */
export function Concerned({ rows }: { rows: readonly ValidationRow[] }) {
  const { t, count } = useWords();
  const more = rows.length - SHOWN;
  return (
    <>
      <ul className="concerned">
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row.id} title={validationName(t, row)}>
            <FaceThumbnail url={row.thumbnailUrl} name={validationName(t, row)} size={48} />
            <span dir="auto" className="cut">
              {validationName(t, row)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="soft">{t('validations.more', { count: more, rows: count(more) })}</p> : null}
    </>
  );
}

/** The rows of which an action failed, each with its reason. */
export function Failures({ failures }: { failures: readonly { row: ValidationRow; reason: ReactNode }[] }) {
  const { t } = useWords();
  return (
    <ul className="bulk-failures" role="alert">
      {failures.map(({ row, reason }) => (
        <li key={row.id}>
          <strong>{validationName(t, row)}</strong> {reason}
        </li>
      ))}
    </ul>
  );
}
