import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import {
  LEAST_IN_GROUP,
  type AppliedCalibration,
  type GroupRates,
  type MeasuredCalibration,
  type SearchShare,
} from '../../../core/contracts/calibration.ts';
import { LEAST_SEARCHES } from '../../../core/contracts/expectation.ts';
import { siteRatesQuery, siteReport } from '../../api/comparisons.ts';
import { ReportButton } from '../../components/ExportButton.tsx';
import { Loaded, WideTable } from '../../components/Page.tsx';
import { useWords } from '../../i18n/words.tsx';

/** The active threshold of each rate with its interval and basis, beside the shipped one. */
export function Thresholds({ of }: { of: AppliedCalibration }) {
  const { t, count } = useWords();
  const measured = of.measured !== null;
  const strict = of.points.some(({ strictDistance }) => strictDistance !== null);
  const columns = [
    'fmr',
    ...(measured ? (['rests'] as const) : []),
    'distance',
    ...(measured ? (['fnmr'] as const) : []),
    'shipped',
    ...(strict ? (['strict'] as const) : []),
    ...(measured ? (['falseMatches'] as const) : []),
  ] as const;
  return (
    <details className="card calibration-table">
      <summary>
        <h2>{t('calibration.table')}</h2>
      </summary>
      <WideTable label={t('calibration.table')} head={columns.map((column) => t(`calibration.${column}`))}>
        {of.points.map(({ fmr, distance, shippedDistance, strictDistance }) => (
          <tr key={fmr} aria-current={fmr === of.defaultFmr ? 'true' : undefined}>
            <th scope="row">
              {t('common.oneIn', { people: count(Math.round(1 / fmr)) })}
              {fmr === of.defaultFmr ? (
                <div className="soft calibration-default">{t('calibration.isDefault')}</div>
              ) : null}
            </th>
            <Rates
              point={of.measured?.points.find((each) => each.fmr === fmr)}
              distance={distance}
              shipped={shippedDistance}
              strict={strict ? strictDistance : undefined}
              measured={measured}
            />
          </tr>
        ))}
      </WideTable>
      <p className="soft">{t('calibration.distanceHelp')}</p>
      {measured ? (
        <p className="soft">
          {t('calibration.intervalHelp')} {t('calibration.statementHelp')}
        </p>
      ) : null}
    </details>
  );
}

/** The error rates of searches in the gallery as it stands; worked out when they are opened, by searches in it. */
export function Site() {
  const { t, count, language, list } = useWords();
  const [open, setOpen] = useState(false);
  const query = useQuery({ ...siteRatesQuery, enabled: open, staleTime: Infinity });
  const columns = ['fmr', 'fpir', 'different', 'fnir', 'fnir_1', 'fnir_2', 'fnir_3'] as const;
  return (
    <details className="card calibration-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t('calibration.site')}</h2>
      </summary>
      {open ? (
        <Loaded query={query}>
          {({ enrolled, searches, mated, byLikeness, defaultFmr, rows }) => (
            <>
              <p>
                {t('calibration.siteOf', {
                  searches: count(searches),
                  enrolled: count(enrolled),
                  mated: count(mated),
                })}
              </p>
              <WideTable
                label={t('calibration.site')}
                head={columns.map((column) => t(`calibration.${column}`))}
              >
                {rows.map(({ fmr, flows, fpir, decidedDifferent, fnir, fnirByPhotos }) => (
                  <tr key={fmr} aria-current={fmr === defaultFmr ? 'true' : undefined}>
                    <th scope="row">
                      {t('common.oneIn', { people: count(Number((1 / fmr).toPrecision(2))) })}
                      {flows.length === 0 ? null : (
                        <div className="soft calibration-default">
                          {t('calibration.flows', { flows: list(flows) })}
                        </div>
                      )}
                    </th>
                    <Share of={fpir} />
                    <td>{count(decidedDifferent)}</td>
                    {[fnir, ...fnirByPhotos].map((share, at) => (
                      <Share key={columns[at + 3]} of={share} />
                    ))}
                  </tr>
                ))}
              </WideTable>
              {byLikeness === 0 ? null : (
                <p className="callout">{t('calibration.byLikeness', { persons: count(byLikeness) })}</p>
              )}
              <p className="soft">{t('calibration.siteHelp')}</p>
              <ReportButton fileName="vouch-error-rates.pdf" make={() => siteReport(language)} />
            </>
          )}
        </Loaded>
      ) : null}
    </details>
  );
}

/** Error rates by groups of people: at each threshold the groups, the one with most errors, and those without rates. */
export function Groups({ of: { rates, tooSmall, ungrouped } }: { of: GroupRates }) {
  const { t, count, list } = useWords();
  const named = tooSmall.map(({ group, people }) =>
    t('calibration.groupOf', { group, people: count(people) }),
  );
  return (
    <>
      <h2>{t('calibration.groups')}</h2>
      {rates.map(({ fmr, groups, worstFmr, worstFnmr }) => {
        const caption = t('calibration.groupsAt', { people: count(Math.round(1 / fmr)) });
        if (groups.length === 0) return null;
        return (
          <div key={fmr} className="column">
            <WideTable
              label={caption}
              head={[caption, t('calibration.people'), t('calibration.fmr'), t('calibration.fnmr')]}
            >
              {groups.map((row) => (
                <tr key={row.group}>
                  <th scope="row">
                    <bdi>{row.group}</bdi>
                  </th>
                  <td>{count(row.people)}</td>
                  <Share of={row.fmr} />
                  <Share of={row.fnmr} />
                </tr>
              ))}
            </WideTable>
            {(
              [
                ['fmr', worstFmr],
                ['fnmr', worstFnmr],
              ] as const
            ).map(([kind, worst]) =>
              worst === null ? null : (
                <p key={kind} className={worst.isClear ? 'callout' : 'soft'}>
                  {t(`calibration.worst_${kind}`, { group: worst.group })}{' '}
                  {t(worst.isClear ? 'calibration.worstClear' : 'calibration.worstChance')}
                </p>
              ),
            )}
          </div>
        );
      })}
      {named.length === 0 ? null : (
        <p className="soft">{t('calibration.groupsTooSmall', { ...LEAST_IN_GROUP, groups: list(named) })}</p>
      )}
      {ungrouped === 0 ? null : (
        <p className="soft">{t('calibration.ungrouped', { people: count(ungrouped) })}</p>
      )}
      <p className="soft">{t('calibration.groupsHelp')}</p>
    </>
  );
}

function Share({ of: { errors, of, rate: found, low, high } }: { of: SearchShare }) {
  const { t, count, percent: share } = useWords();
  if (of < LEAST_SEARCHES) return <td className="soft">{t('calibration.fewSearches', { of: count(of) })}</td>;
  return (
    <td>
      <bdi>
        {share(found)}{' '}
        <span className="soft">
          ({share(low)}–{share(high)})
        </span>
      </bdi>
      <div className="soft">{t('calibration.errorsOf', { errors: count(errors), of: count(of) })}</div>
    </td>
  );
}

type Point = MeasuredCalibration['points'][number];

function Rates(props: {
  point: Point | undefined;
  distance: number;
  shipped: number;
  /** Undefined: there is no column of them. */
  strict: number | null | undefined;
  measured: boolean;
}) {
  const { t, count, percent: share } = useWords();
  const { point, distance, shipped, strict, measured } = props;
  const span = (low: string, high: string) => (
    <span className="soft">
      ({low}–{high})
    </span>
  );
  return (
    <>
      {measured ? <td>{point === undefined ? '' : t(`calibration.statement_${point.statement}`)}</td> : null}
      <td>
        <bdi>
          {far(distance)}{' '}
          {point === undefined ? null : span(far(point.interval.low), far(point.interval.high))}
        </bdi>
      </td>
      {measured ? (
        <td>
          {point === undefined ? null : (
            <bdi>
              {share(point.fnmr)} {span(share(point.fnmrInterval.low), share(point.fnmrInterval.high))}
            </bdi>
          )}
        </td>
      ) : null}
      <td>
        <bdi>{far(shipped)}</bdi>
      </td>
      {strict === undefined ? null : <td>{strict === null ? '' : <bdi>{far(strict)}</bdi>}</td>}
      {measured ? (
        <td>
          {point === undefined ? null : (
            <bdi>
              {t('calibration.atMost', {
                matches: count(point.shipped.falseMatches),
                fmr: rate(point.shipped.fmrAtMost),
              })}
            </bdi>
          )}
        </td>
      ) : null}
    </>
  );
}

const far = (distance: number) => distance.toFixed(4);
/** As tables of this field write rates: 2.9e-3. */
const rate = (value: number) => (value === 0 ? '0' : value.toExponential(1).replace(/\.0e/, 'e'));

const WIDTH = 560;
const HEIGHT = 300;
const MARGIN = { left: 64, right: 20, top: 10, bottom: 44 };
/** Rarer than this nothing is drawn: a curve that reaches no error at all ends at the axis. */
const LEAST_FNMR = 1e-4;
const DECADES = [-7, -6, -5, -4, -3, -2, -1];
const FNMR_LINES = [1e-4, 1e-3, 1e-2, 1e-1, 1];

/** FMR against FNMR, both logarithmic, as ISO/IEC 19795-1 draws them: the measured curve, and the rates of the table. */
export function DetCurve({ measured, defaultFmr }: { measured: MeasuredCalibration; defaultFmr: number }) {
  const { t, percent } = useWords();
  const { det, points } = measured;
  const wanted = points.find(({ fmr }) => fmr === defaultFmr);
  const rarest = Math.min(...points.map(({ fmr }) => fmr), ...det.map(({ fmr }) => fmr), defaultFmr);
  const from = Math.max(-7, Math.floor(Math.log10(rarest)));
  const x = (fmr: number) =>
    MARGIN.left + ((Math.log10(fmr) - from) / (-1 - from)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (fnmr: number) =>
    MARGIN.top +
    (Math.log10(Math.max(LEAST_FNMR, fnmr)) / Math.log10(LEAST_FNMR)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const path = det.map(({ fmr, fnmr }, at) => `${at === 0 ? 'M' : 'L'}${x(fmr)} ${y(fnmr)}`).join('');
  const label = t('calibration.curveLabel', {
    fmr: defaultFmr.toExponential(),
    fnmr: wanted === undefined ? '?' : percent(wanted.fnmr),
  });
  return (
    <figure className="det">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className="ltr">
        {FNMR_LINES.map((fnmr) => (
          <g key={fnmr}>
            <line className="det-grid" x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(fnmr)} y2={y(fnmr)} />
            <text className="det-tick" x={MARGIN.left - 8} y={y(fnmr) + 4} textAnchor="end">
              {fnmr === LEAST_FNMR ? `≤ ${percent(fnmr)}` : percent(fnmr)}
            </text>
          </g>
        ))}
        {DECADES.filter((decade) => decade >= from).map((decade) => (
          <g key={decade}>
            <line
              className="det-grid"
              x1={x(10 ** decade)}
              x2={x(10 ** decade)}
              y1={MARGIN.top}
              y2={HEIGHT - MARGIN.bottom}
            />
            <text
              className="det-tick"
              x={x(10 ** decade)}
              y={HEIGHT - MARGIN.bottom + 16}
              textAnchor="middle"
            >
              1e{decade}
            </text>
          </g>
        ))}
        <line
          className="det-default"
          x1={x(defaultFmr)}
          x2={x(defaultFmr)}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
        />
        <path className="det-line" d={path} />
        {points.map(({ fmr, fnmr, fnmrInterval, statement }) => (
          <g key={fmr} className={statement === 'measured' ? 'det-point' : 'det-point det-point-open'}>
            <line x1={x(fmr)} x2={x(fmr)} y1={y(fnmrInterval.low)} y2={y(fnmrInterval.high)} />
            <circle cx={x(fmr)} cy={y(fnmr)} r={4} />
          </g>
        ))}
        <text className="det-axis" x={(WIDTH + MARGIN.left) / 2} y={HEIGHT - 6} textAnchor="middle">
          {t('calibration.fmrAxis')}
        </text>
        <text
          className="det-axis"
          transform={`rotate(-90) translate(${-(HEIGHT - MARGIN.bottom + MARGIN.top) / 2} 12)`}
          textAnchor="middle"
        >
          {t('calibration.fnmrAxis')}
        </text>
      </svg>
      <figcaption className="soft det-key">
        <span className="det-key-line">{t('calibration.ownPhotos')}</span>
        <span className="det-key-point">{t('calibration.marked')}</span>
        <span className="det-key-default">{t('calibration.default')}</span>
      </figcaption>
    </figure>
  );
}
