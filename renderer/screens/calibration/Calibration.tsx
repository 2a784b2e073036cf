import { useState } from 'react';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Radio } from '@mantine/core';
import type { AppliedCalibration } from '../../../core/contracts/calibration.ts';
import { THRESHOLD_PROFILES } from '../../../core/contracts/settings.ts';
import { calibrationQuery, resetCalibration, chooseThresholds } from '../../api/comparisons.ts';
import { useMay } from '../../api/session.ts';
import { Action, Loaded, Page } from '../../components/Page.tsx';
import { Fact } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { DetCurve, Groups, Site, Thresholds } from './Thresholds.tsx';
import { Measure, ResetCalibration } from './Measure.tsx';
import './calibration.css';

/** The active thresholds of the company and the measurement that they are based on. */
export function Component() {
  const { t, count, time } = useWords();
  const query = useQuery(calibrationQuery);
  const { data } = query;
  const state =
    data === undefined
      ? null
      : data.appliedAt === null
        ? t(`calibration.stateShipped_${data.thresholds}`)
        : t('calibration.stateOwn', { photos: count(data.photos ?? 0), time: time(data.appliedAt) });
  return (
    <Page title={t('nav.calibration')} state={state} action={data === undefined ? null : <Reset of={data} />}>
      <div className="page-scroll column">
        <Loaded query={query}>
          {(of) => (
            <>
              {of.measured === null ? (
                <Basis of={of} />
              ) : (
                <div className="calibration-pair">
                  <section className="card column">
                    <h2>{t('calibration.curve')}</h2>
                    <p className="soft">{t('calibration.curveHelp')}</p>
                    <DetCurve measured={of.measured} defaultFmr={of.defaultFmr} />
                  </section>
                  <Basis of={of} />
                </div>
              )}
              <TableChoice of={of} />
              {of.measured?.groups ? (
                <section className="card column">
                  <Groups of={of.measured.groups} />
                </section>
              ) : null}
              <Thresholds of={of} />
              <Site />
              <Measure of={of} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function Basis({ of }: { of: AppliedCalibration }) {
  const { t, count, list, percent } = useWords();
  const { measured } = of;
  const known = (value: string | undefined) => value ?? t('calibration.unknown');
  return (
    <section className="card column">
      <h2>{t('calibration.restsOn')}</h2>
      {of.appliedAt === null && of.elsewhere.length > 0 ? (
        <p className="callout">{t('calibration.elsewhere', { pipelines: list(of.elsewhere) })}</p>
      ) : null}
      {of.appliedAt === null ? <p>{t('calibration.shippedHelp')}</p> : null}
      <dl className="facts">
        <Fact label={t('facts.pipeline')} className="mono ltr">
          {of.pipeline}
        </Fact>
        {of.appliedAt === null ? null : (
          <>
            <Fact label={t('calibration.people')}>{count(of.people ?? 0)}</Fact>
            <Fact label={t('facts.photos')}>{count(of.photos ?? 0)}</Fact>
            <Fact label={t('calibration.mated')}>
              {known(measured === null ? undefined : count(measured.matedPairs))}{' '}
              <span className="soft">{t('calibration.matedHelp')}</span>
            </Fact>
            <Fact label={t('calibration.nonMated')}>
              {count(of.nonMatedPairs ?? 0)} <span className="soft">{t('calibration.nonMatedHelp')}</span>
            </Fact>
            <Fact label={t('calibration.acquire')}>
              {known(measured === null ? undefined : percent(measured.failureToAcquire))}{' '}
              <span className="soft">{t('calibration.acquireHelp')}</span>
            </Fact>
            <Fact label={t('calibration.since')} at={of.appliedAt} />
          </>
        )}
      </dl>
    </section>
  );
}

function Reset({ of }: { of: AppliedCalibration }) {
  const { t, count } = useWords();
  const may = useMay();
  if (of.appliedAt === null || !may('pipelines:write')) return null;
  return (
    <ResetCalibration kind="calibration" query={calibrationQuery} reset={resetCalibration}>
      {t('calibration.resetWhat', { people: count(of.people ?? 0), photos: count(of.photos ?? 0) })}
    </ResetCalibration>
  );
}

/**
 * The choice of the shipped thresholds: a mixed population, or people that the network confuses often. It counts once it is
 * saved, because an arrow key alone moves it.
 */
function TableChoice({ of }: { of: AppliedCalibration }) {
  const { t } = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(of.thresholds);
  const [failure, setFailure] = useState<string>();
  const choosing = useMutation({
    mutationFn: chooseThresholds,
    onMutate: () => setFailure(undefined),
    onSuccess: (now) => {
      client.setQueryData(calibrationQuery.queryKey, now);
      undoStore.getState().notify(t(`calibration.inForce_${now.thresholds}`));
    },
    onError: (error) => setFailure(error.message),
  });
  if (of.points.every(({ strictDistance }) => strictDistance === null)) return null;
  const disabled = !may('pipelines:write') || choosing.isPending;
  return (
    <section className="card column">
      <h2>{t('calibration.who')}</h2>
      <Radio.Group
        aria-label={t('calibration.who')}
        value={chosen}
        onChange={(value) => setChosen(value)}
        error={failure}
      >
        <div className="column">
          {THRESHOLD_PROFILES.map((table) => (
            <Radio
              key={table}
              value={table}
              disabled={disabled}
              label={t(`calibration.table_${table}`)}
              description={t(`calibration.tableHelp_${table}`)}
            />
          ))}
        </div>
      </Radio.Group>
      {chosen === of.thresholds ? null : (
        <div>
          <Action
            size="xs"
            label={t('listing.save')}
            work={{ mutate: () => choosing.mutate(chosen), isPending: choosing.isPending }}
          />
        </div>
      )}
      <details>
        <summary>{t('calibration.whenStrict')}</summary>
        <p className="soft">{t('calibration.whenStrictHelp')}</p>
      </details>
      {of.appliedAt === null ? null : <p className="soft">{t('calibration.ownCountsMore')}</p>}
    </section>
  );
}
