import type { ReactNode } from 'react';
import type { ValidationRow } from '../../../../core/contracts/dashboard/validations.ts';
import { Concerned } from '../../../components/Concerned.tsx';
import { useWords } from '../../../i18n/words.tsx';
import { validationName } from '../matches.ts';

/** The people that a bulk action on validations affects. */
export function ConcernedRows({ rows }: { rows: readonly ValidationRow[] }) {
  const { t } = useWords();
  return (
    <Concerned
      faces={rows.map((row) => ({
        id: row.id,
        name: validationName(t, row),
        thumbnailUrl: row.thumbnailUrl,
      }))}
    />
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
