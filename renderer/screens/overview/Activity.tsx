import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  ACTIVITY_DAYS,
  type ActivityDay,
  type Overview,
} from '../../../core/contracts/dashboard/overview.ts';
import { activityQuery } from '../../api/system.ts';
import { useSession } from '../../api/session.ts';
import { WideTable, ErrorLine } from '../../components/Page.tsx';
import { dayOf, startOfDay } from '../../i18n/days.ts';
import { useWords } from '../../i18n/words.tsx';

type Series = 'validations' | 'duplicates' | 'blacklisted';
/** Heights of the rows and the width of a day in the units of the drawing. */
const ROW = { validations: 56, duplicates: 28, blacklisted: 28 };
const DAY = 20;
const BAR = 12;

/**
 * Trust Validations and matches of the last two weeks. The numbers of today are those of the overview; the days before
 * are asked for once.
 * @param props.day the reader's day. @param props.today its counts
 */
export default function Activity({ day, today }: { day: string; today: Overview['today'] }) {
  const { t } = useWords();
  const { company } = useSession();
  const starts = Array.from(
    { length: ACTIVITY_DAYS },
    (_, index) => startOfDay(day, index - ACTIVITY_DAYS) ?? '',
  );
  const since = startOfDay(day) ?? '';
  const query = useQuery(activityQuery(starts, since));
  const series: Series[] = company.features.blacklists
    ? ['validations', 'duplicates', 'blacklisted']
    : ['validations', 'duplicates'];
  const days = query.data === undefined ? [] : [...query.data.days, { from: since, ...today }];
  return (
    <section className="card activity-space" aria-labelledby="overview-activity" aria-busy={query.isPending}>
      <h2 id="overview-activity">{t('overview.activity')}</h2>
      <ErrorLine error={query.error} />
      {days.length === 0 ? null : (
        <>
          {series.map((each) => (
            <Bars key={each} of={each} days={days} />
          ))}
          <Ends days={days} />
          <details className="activity-table">
            <summary>{t('overview.showTable')}</summary>
            <DayTable days={days} series={series} />
          </details>
        </>
      )}
    </section>
  );
}

/** One series as bars of its own scale, with the highest day in words. */
function Bars({ of, days }: { of: Series; days: readonly ActivityDay[] }) {
  const { t, count } = useWords();
  const most = Math.max(...days.map((day) => day[of]));
  const height = ROW[of];
  const title = t(`overview.${of}`);
  const label = t('overview.barsLabel', {
    series: title,
    total: count(days.reduce((sum, day) => sum + day[of], 0)),
    most: count(most),
  });
  return (
    <div className="activity-row">
      <div className="row">
        <span className="soft">{title}</span>
        <span className="soft push">{t('overview.most', { most: count(most) })}</span>
      </div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length * DAY} ${height}`}
        preserveAspectRatio="none"
        className={`activity-bars activity-${of}`}
        style={{ height }}
      >
        {days.map((day, index) => {
          // A day with a few is not drawn as a day with none.
          const bar = day[of] === 0 ? 0.75 : Math.max(2, (day[of] / most) * height);
          return (
            <rect
              key={day.from}
              x={index * DAY + (DAY - BAR) / 2}
              y={height - bar}
              width={BAR}
              height={bar}
              className={day[of] === 0 ? 'activity-none' : undefined}
            />
          );
        })}
      </svg>
    </div>
  );
}

/** The first and the last day under the bars. */
function Ends({ days }: { days: readonly ActivityDay[] }) {
  const { t, date } = useWords();
  return (
    <div className="row soft activity-ends">
      <span>{date(days[0]?.from ?? '')}</span>
      <span className="push">{t('days.today')}</span>
    </div>
  );
}

function DayTable({ days, series }: { days: readonly ActivityDay[]; series: readonly Series[] }) {
  const { t, count, date } = useWords();
  const hits = { validations: '', duplicates: '&hit=duplicate', blacklisted: '&hit=blacklist' };
  return (
    <WideTable
      label={t('overview.activity')}
      head={[t('overview.day'), ...series.map((each) => t(`overview.${each}`))]}
    >
      {days.toReversed().map((day) => {
        const at = dayOf(new Date(day.from));
        return (
          <tr key={day.from}>
            <th scope="row">{date(day.from)}</th>
            {series.map((each) => (
              <td key={each}>
                <Link to={`/validations?from=${at}&to=${at}${hits[each]}`}>{count(day[each])}</Link>
              </td>
            ))}
          </tr>
        );
      })}
    </WideTable>
  );
}
