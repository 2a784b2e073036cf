import { NavLink } from 'react-router';
import { useWords } from '../../i18n/words.tsx';

/** The tabs of the signature screens, each with an address of its own. */
export function SignatureTabs() {
  const { t } = useWords();
  return (
    <nav className="subnav" aria-label={t('nav.signatures')}>
      <NavLink to="/signatures" end>
        {t('signatures.compareTab')}
      </NavLink>
      <NavLink to="/signatures/known">{t('signatures.knownTab')}</NavLink>
      <NavLink to="/signatures/history">{t('common.history')}</NavLink>
      <NavLink to="/signatures/calibration">{t('nav.calibration')}</NavLink>
    </nav>
  );
}
