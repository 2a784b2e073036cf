import { Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useSession } from '../api/session.ts';
import { validationsQuery } from '../api/validations.ts';
import { useFormats } from '../i18n/format.ts';
import mark from '../mark.svg';
import { usePreferences } from '../state/preferences.ts';
import { navigationFor, type NavigationItem } from './navigation.ts';

/** @param props.fixed the window leaves it no choice */
export function Sidebar({ collapsed, fixed }: { collapsed: boolean; fixed: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const toggleSidebar = usePreferences((state) => state.toggleSidebar);
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggle = t(collapsed ? 'nav.expand' : 'nav.collapse');
  return (
    <nav className="sidebar" aria-label={t('nav.label')}>
      <div className="sidebar-mark">
        <img src={mark} alt="" />
        <span className="sidebar-word">Vouch</span>
      </div>
      <div className="sidebar-places">
        {navigationFor(session).map((destination) =>
          destination.aside === true ? null : (
            <SidebarLink key={destination.path} destination={destination} narrow={collapsed} />
          ),
        )}
      </div>
      {fixed ? null : (
        <Tooltip label={toggle} position="right" disabled={!collapsed}>
          <button type="button" className="sidebar-item" onClick={toggleSidebar}>
            <Toggle size={18} stroke={1.6} className="mirrored" aria-hidden />
            <span className="sidebar-word">{toggle}</span>
          </button>
        </Tooltip>
      )}
    </nav>
  );
}

function SidebarLink({ destination, narrow }: { destination: NavigationItem; narrow: boolean }) {
  const { t } = useTranslation();
  const { Icon, path, word } = destination;
  return (
    <Tooltip label={t(`nav.${word}`)} position="right" disabled={!narrow}>
      <NavLink to={path} end={path === '/'} className="sidebar-item">
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className="sidebar-word">{t(`nav.${word}`)}</span>
        {word === 'review' ? <ReviewCount /> : null}
      </NavLink>
    </Tooltip>
  );
}

function ReviewCount() {
  const { count } = useFormats();
  const { data } = useInfiniteQuery(validationsQuery({ status: 2, order: 'oldest' }));
  const waiting = data?.pages[0]?.total ?? 0;
  return waiting === 0 ? null : <span className="sidebar-count">{count(waiting)}</span>;
}
