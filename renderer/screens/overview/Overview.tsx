import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconUserScan } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { overviewQuery } from '../../api/overview.ts';
import { useMay } from '../../api/session.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { dayOf, startOfDay } from '../../i18n/days.ts';
import { useFormats } from '../../i18n/format.ts';
import { DemoData } from './DemoData.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Health } from './Health.tsx';
import { Hits } from './Hits.tsx';
import { Storage } from './Storage.tsx';
import { Today } from './Today.tsx';
import { Waiting } from './Waiting.tsx';
import './overview.css';

const Activity = lazy(() => import('./Activity.tsx'));

/** The first page: work that waits, newest hits, the day and the last two weeks, storage and backup. */
export function Component() {
  const { t } = useTranslation();
  const { date } = useFormats();
  const may = useMay();
  const day = useToday();
  const since = startOfDay(day) ?? new Date().toISOString();
  const query = useQuery({ ...overviewQuery(since), placeholderData: keepPreviousData });
  return (
    <Page
      title={t('nav.overview')}
      state={t('overview.state', { day: date(since) })}
      action={
        may('verifications:create') ? (
          <Button component={Link} to="/verify" leftSection={<IconUserScan size={16} aria-hidden />}>
            {t('nav.verify')}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} rows={10}>
        {(now) => (
          <div className="page-scroll overview">
            <Health health={now.health} />
            <FirstSteps of={now} />
            <DemoData isNew={!now.firstSteps.enrolled} />
            <div className="overview-columns">
              <div className="overview-column">
                <Waiting of={now} day={day} />
                <Hits hits={now.hits} />
              </div>
              <div className="overview-column">
                <Today today={now.today} day={day} />
                <Suspense fallback={<section className="card activity-space" aria-busy />}>
                  <Activity day={day} today={now.today} />
                </Suspense>
                <Storage of={now} />
              </div>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** The reader's day; a page that stays open overnight goes on to the next one. */
function useToday(): string {
  const [day, setDay] = useState(() => dayOf(new Date()));
  useEffect(() => {
    const timer = setInterval(() => setDay(dayOf(new Date())), 30_000);
    return () => clearInterval(timer);
  }, []);
  return day;
}
