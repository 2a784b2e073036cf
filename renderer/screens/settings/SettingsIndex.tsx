import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { navigationFor } from '../../appShell/navigation.ts';
import { Page } from '../../components/Page.tsx';
import './settings.css';

/** The screens of the Settings group that this role has, each with a sentence about its content. */
export function Component() {
  const { t } = useTranslation();
  const session = useSession();
  const pages = navigationFor(session).flatMap((item) => (item.within === 'settings' ? [item] : []));
  return (
    <Page title={t('nav.settings')} state={session.company.name}>
      <div className="page-scroll">
        <ul className="settings-index">
          {pages.map(({ path, word, Icon }) => (
            <li key={path}>
              <Link to={path} className="card">
                <Icon size={20} stroke={1.6} aria-hidden />
                <span>
                  <strong>{t(`nav.${word}`)}</strong>
                  <span className="soft">{t(`settings.about.${word}`)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  );
}
