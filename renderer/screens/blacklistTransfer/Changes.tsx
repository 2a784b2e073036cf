import { useTranslation } from 'react-i18next';
import { IMPORT_CHANGES, type ImportChange } from '../../../core/contracts/blacklistTransfer.ts';
import { useFormats } from '../../i18n/format.ts';

/** How many faces each change is about; those that are about none are said too, as such. */
export function Changes({ counts }: { counts: Readonly<Record<ImportChange, number>> }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <table className="changes">
      <tbody>
        {IMPORT_CHANGES.map((change) => (
          <tr key={change} className={counts[change] === 0 ? 'none' : ''}>
            <th scope="row">{t(`exchange.change_${change}`)}</th>
            <td>{count(counts[change])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
