import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';

/** The tabs of the screens that compare faces, each with an address of its own. */
export function CompareTabs() {
  const { t } = useTranslation();
  return (
    <nav className="subnav" aria-label={t('nav.compare')}>
      <NavLink to="/compare" end>
        {t('faceCompare.compareTab')}
      </NavLink>
      <NavLink to="/compare/history">{t('signatures.historyTab')}</NavLink>
    </nav>
  );
}
