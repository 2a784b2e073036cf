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
import { destinationsFor, type Destination } from './destinations.ts';

/** @param props.fixed the window leaves it no choice */
export function Sidebar({ collapsed, fixed }: { collapsed: boolean; fixed: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const toggleRail = usePreferences((state) => state.toggleRail);
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggle = t(collapsed ? 'nav.expand' : 'nav.collapse');
  return (
    <nav className="rail" aria-label={t('nav.label')}>
      <div className="rail-mark">
        <img src={mark} alt="" />
        <span className="rail-word">Vouch</span>
      </div>
      <div className="rail-places">
        {destinationsFor(session).map((destination) =>
          destination.aside === true ? null : (
            <RailLink key={destination.path} destination={destination} narrow={collapsed} />
          ),
        )}
      </div>
      {fixed ? null : (
        <Tooltip label={toggle} position="right" disabled={!collapsed}>
          <button type="button" className="rail-item" onClick={toggleRail}>
            <Toggle size={18} stroke={1.6} className="mirrored" aria-hidden />
            <span className="rail-word">{toggle}</span>
          </button>
        </Tooltip>
      )}
    </nav>
  );
}

function RailLink({ destination, narrow }: { destination: Destination; narrow: boolean }) {
  const { t } = useTranslation();
  const { Icon, path, word } = destination;
  return (
    <Tooltip label={t(`nav.${word}`)} position="right" disabled={!narrow}>
      <NavLink to={path} end={path === '/'} className="rail-item">
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className="rail-word">{t(`nav.${word}`)}</span>
        {word === 'review' ? <ReviewCount /> : null}
      </NavLink>
    </Tooltip>
  );
}

function ReviewCount() {
  const { count } = useFormats();
  const { data } = useInfiniteQuery(validationsQuery({ status: 2, order: 'oldest' }));
  const waiting = data?.pages[0]?.total ?? 0;
  return waiting === 0 ? null : <span className="rail-count">{count(waiting)}</span>;
}
