import { Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSession } from '../api/session.ts';
import { validationsQuery } from '../api/validations.ts';
import { useFormats } from '../i18n/format.ts';
import mark from '../mark.svg';
import { usePreferences } from '../state/preferences.ts';
import { navigationFor, placeOf, sidebarAt, type NavigationItem } from './navigation.ts';

/** @param props.fixed the window leaves it no choice */
export function Sidebar({ collapsed, fixed }: { collapsed: boolean; fixed: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const { pathname } = useLocation();
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
        {sidebarAt(navigationFor(session), pathname).map((destination) => (
          <SidebarLink key={destination.path} destination={destination} narrow={collapsed} />
        ))}
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
  const { pathname } = useLocation();
  const { Icon, path, word, within, afterLine } = destination;
  const open = placeOf(pathname)?.word === word;
  const classes = [
    'sidebar-item',
    within === undefined ? '' : 'sidebar-within',
    afterLine === true ? 'sidebar-after-line' : '',
  ];
  return (
    <Tooltip label={t(`nav.${word}`)} position="right" disabled={!narrow}>
      <Link to={path} aria-current={open ? 'page' : undefined} className={classes.join(' ')}>
        <Icon size={within === undefined ? 18 : 16} stroke={1.6} aria-hidden />
        <span className="sidebar-word">{t(`nav.${word}`)}</span>
        {word === 'review' ? <ReviewCount /> : null}
      </Link>
    </Tooltip>
  );
}

function ReviewCount() {
  const { count } = useFormats();
  const { data } = useInfiniteQuery(validationsQuery({ status: 2, order: 'asc' }));
  const waiting = data?.pages[0]?.total ?? 0;
  return waiting === 0 ? null : <span className="sidebar-count">{count(waiting)}</span>;
}
