import { useTranslation } from 'react-i18next';
import type { AppliedCalibration, MeasuredCalibration } from '../../../core/contracts/calibration.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';

/** The active threshold of each rate with its interval and basis, beside the shipped one. */
export function Thresholds({ of }: { of: AppliedCalibration }) {
  const { t } = useTranslation();
  const { count } = useFormats();
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
      <WideTable label={t('calibration.table')}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {t(`calibration.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {of.points.map(({ fmr, distance, shippedDistance, strictDistance }) => (
              <tr key={fmr} aria-current={fmr === of.defaultFmr ? 'true' : undefined}>
                <th scope="row">
                  {t('calibration.oneIn', { people: count(Math.round(1 / fmr)) })}
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
          </tbody>
        </table>
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

type Point = MeasuredCalibration['points'][number];

function Rates(props: {
  point: Point | undefined;
  distance: number;
  shipped: number;
  /** Undefined: there is no column of them. */
  strict: number | null | undefined;
  measured: boolean;
}) {
  const { t } = useTranslation();
  const { count, percent: share } = useFormats();
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
