import { IconUserCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { EmptyState } from '../../components/states.tsx';
import type { Match } from './matches.ts';
import { MatchCompare, MatchList } from './MatchView.tsx';

/** Duplicates & Blacklists: each match side by side with its score, band, name, list and face upload id. */
export function MatchesTab({ detail, matches }: { detail: ValidationDetail; matches: readonly Match[] }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const chosen = matches.find(({ key }) => key === params.get('match')) ?? matches[0];
  const { screening } = detail;
  if (chosen === undefined)
    return (
      <EmptyState Icon={IconUserCheck} title={t('validations.noMatch')}>
        {screening.at === null ? t('validations.notScreened') : t('validations.noMatchHelp')}
      </EmptyState>
    );
  const choose = (key: string) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.set('match', key);
        changed.set('tab', 'matches');
        return changed;
      },
      { replace: true },
    );
  return (
    <div className="column">
      <MatchList matches={matches} chosen={chosen.key} choose={choose} />
      <MatchCompare detail={detail} match={chosen} />
    </div>
  );
}
