import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';

/** The tabs of the signature screens, each with an address of its own. */
export function SignatureTabs() {
  const { t } = useTranslation();
  return (
    <nav className="subnav" aria-label={t('nav.signatures')}>
      <NavLink to="/signatures" end>
        {t('signatures.compareTab')}
      </NavLink>
      <NavLink to="/signatures/known">{t('signatures.knownTab')}</NavLink>
      <NavLink to="/signatures/history">{t('signatures.historyTab')}</NavLink>
      <NavLink to="/signatures/calibration">{t('signatures.calibrationTab')}</NavLink>
    </nav>
  );
}
