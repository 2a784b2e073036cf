import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/format.ts';

/** The numbers of the day. Each opens the list that it counts. */
export function Today({ today, day }: { today: Overview['today']; day: string }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { company } = useSession();
  const days = `from=${day}&to=${day}`;
  const validations = `/validations?${days}`;
  const numbers: readonly (readonly [keyof Overview['today'], string])[] = [
    ['validations', validations],
    ['verified', `${validations}&status=3&source=verification`],
    ['rejected', `${validations}&status=1`],
    ['duplicates', `${validations}&hit=duplicate`],
    ['blacklisted', `${validations}&hit=blacklist`],
    ['uploads', `/enrol/uploads?${days}`],
    ['signatures', `/signatures/history?${days}`],
  ];
  const shown = numbers.filter(([key]) => key !== 'blacklisted' || company.features.blacklists);
  return (
    <section className="card" aria-labelledby="overview-today">
      <h2 id="overview-today">{t('overview.today')}</h2>
      <ul className="today">
        {shown.map(([key, to]) => (
          <li key={key}>
            <Link to={to} className="today-number">
              <strong>{count(today[key])}</strong>
              <span>{t(`overview.${key}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
