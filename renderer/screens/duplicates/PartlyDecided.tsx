import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { GroupFilter } from '../../../core/contracts/dashboard/duplicates.ts';
import { groupCountQuery } from '../../api/duplicates.ts';
import { useFormats } from '../../i18n/format.ts';

/** How many groups a bulk accept leaves open because a decision holds for a part of them, and why. */
export function PartlyDecided({ filter }: { filter: Omit<GroupFilter, 'state'> }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { data } = useQuery(groupCountQuery({ ...filter, state: 'partlyDecided' }));
  if (data === undefined || data.total === 0) return null;
  return (
    <p className="soft">
      {t('duplicates.samplePartly', { count: data.total, groups: count(data.total) })}{' '}
      <Link to="/duplicates?state=partlyDecided">{t('duplicates.samplePartlyLink')}</Link>
    </p>
  );
}
