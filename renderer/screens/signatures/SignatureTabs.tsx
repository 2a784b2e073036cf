import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';

/** Compare, history and calibration are three addresses. */
export function SignatureTabs() {
  const { t } = useTranslation();
  return (
    <nav className="subnav" aria-label={t('nav.signatures')}>
      <NavLink to="/signatures" end>
        {t('signatures.compareTab')}
      </NavLink>
      <NavLink to="/signatures/history">{t('signatures.historyTab')}</NavLink>
      <NavLink to="/signatures/calibration">{t('signatures.calibrationTab')}</NavLink>
    </nav>
  );
}
