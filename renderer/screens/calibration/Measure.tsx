import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AppliedCalibration, CalibrationReport } from '../../../core/contracts/calibration.ts';
import {
  applyMeasurement,
  beginMeasurement,
  calibrationQuery,
  measurePhoto,
  readMeasurement,
} from '../../api/calibration.ts';
import { useMay, useSession } from '../../api/session.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { Reasons } from '../../components/Reasons.tsx';
import { SegmentBar } from '../../components/SegmentBar.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';
import { LeaveGuard } from '../flows/LeaveGuard.tsx';
import { DetCurve } from './DetCurve.tsx';
import { ChooseFolder } from './ChooseFolder.tsx';
import { labelledPhotos, type LabelledPhoto } from './labelledPhotos.ts';
import { Thresholds } from './Thresholds.tsx';
import { unlessRefused, useMeasuring } from './useMeasuring.ts';

/** As many photos are sent at once: enough for the workers of a small machine. */
const CONCURRENCY = 4;

interface Progress {
  total: number;
  done: number;
  /** Photos without a usable face, and files that the service did not accept. */
  refused: number;
  /** Files that the service did not accept, such as files above the size limit. */
  notAccepted: number;
  /** Photos that occur twice for the same person, and count once. */
  repeated: number;
  /** Pairs of files with the same content under two people. */
  mislabelled: string[];
}

type Measurement =
  | { stage: 'measuring'; progress: Progress }
  | { stage: 'measured'; progress: Progress; report: CalibrationReport };

/** Measures the company's own labelled photos, compares the result with the active thresholds, and applies it. */
export function Measure({ of }: { of: AppliedCalibration }) {
  const { t } = useTranslation();
  const may = useMay();
  const { state, start, stop } = useMeasuring(measure);
  return (
    <section className="card column">
      <h2>{t('calibration.make')}</h2>
      <LeaveGuard active={state.stage === 'measuring' || state.stage === 'measured'} />
      {state.stage === 'none' || state.stage === 'failed' ? (
        <>
          <p>{t('calibration.makeHelp')}</p>
          {may('pipelines:write') ? (
            <ChooseFolder
              none={t('calibration.noPhotos')}
              labelled={(files) => labelledPhotos(files).photos}
              start={start}
            />
          ) : null}
          {state.stage === 'failed' ? <ErrorLine error={state.error} /> : null}
          <InTerminal />
        </>
      ) : null}
      {state.stage === 'measuring' ? (
        <>
          <MeasuringBar progress={state.progress} />
          <div className="row">
            <Button variant="default" onClick={stop}>
              {t('calibration.stop')}
            </Button>
          </div>
        </>
      ) : null}
      {state.stage === 'measured' ? (
        <Outcome of={of} report={state.report} progress={state.progress} close={stop} />
      ) : null}
    </section>
  );
}

/** Sends the photos to the service, then reads the report. */
async function measure(
  photos: readonly LabelledPhoto[],
  signal: AbortSignal,
  update: (state: Measurement) => void,
): Promise<void> {
  const progress: Progress = {
    total: photos.length,
    done: 0,
    refused: 0,
    notAccepted: 0,
    repeated: 0,
    mislabelled: [],
  };
  update({ stage: 'measuring', progress: { ...progress } });
  const { run } = await beginMeasurement();
  const waiting = photos.values();
  const sendNext = async () => {
    for (const photo of waiting) {
      const added = await unlessRefused(measurePhoto(run, photo, signal));
      progress.done += 1;
      if (added === undefined) progress.notAccepted += 1;
      if (added === undefined || added.refused !== null) progress.refused += 1;
      else if (added.sameAs?.person === photo.person) progress.repeated += 1;
      else if (added.sameAs !== null) progress.mislabelled.push(`${added.sameAs.file} = ${photo.file}`);
      update({ stage: 'measuring', progress: { ...progress } });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
  update({ stage: 'measured', progress, report: await readMeasurement(run, signal) });
}

function MeasuringBar({ progress: { total, done, refused } }: { progress: Progress }) {
  const { t } = useTranslation();
  return (
    <SegmentBar
      label={t('calibration.measuring')}
      done={done}
      total={total}
      segments={[
        { word: t('calibration.usable'), tone: 'good', number: done - refused },
        { word: t('calibration.unusable'), tone: 'bad', number: refused },
        { word: t('calibration.waiting'), tone: 'calm', number: total - done },
      ]}
    />
  );
}

/** The result of a measurement beside the active thresholds. Nothing has changed until it is applied. */
function Outcome(props: {
  of: AppliedCalibration;
  report: CalibrationReport;
  progress: Progress;
  close: () => void;
}) {
  const { of, report, progress, close } = props;
  const { t } = useTranslation();
  const { count, percent } = useFormats();
  const client = useQueryClient();
  const apply = useMutation({
    mutationFn: () => applyMeasurement(report.run),
    onSuccess: (now) => {
      client.setQueryData(calibrationQuery.queryKey, now);
      undoStore.getState().notify(t('calibration.applied'));
      close();
    },
  });
  const wrong = progress.mislabelled.length > 0;
  const usable = report.tooFew === null && !wrong;
  return (
    <div className="column" role="status">
      <p>
        {t('calibration.result', {
          people: count(report.people),
          photos: count(report.photos),
          refused: percent(report.failureToAcquire),
        })}{' '}
        {progress.repeated === 0 ? null : t('calibration.repeated', { photos: count(progress.repeated) })}
      </p>
      <Reasons
        images={report.refused.map(({ code }) => ({ failureCode: code }))}
        refused={progress.notAccepted}
      />
      {wrong ? (
        <div className="error-line column">
          <p>{t('calibration.mislabelled')}</p>
          <ul>
            {progress.mislabelled.slice(0, 10).map((pair) => (
              <li key={pair} className="mono ltr">
                {pair}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {report.tooFew === null ? (
        <Comparison of={of} report={report} />
      ) : (
        <p className="error-line">
          {t('calibration.tooFew', {
            people: count(report.people),
            mated: count(report.matedPairs),
            nonMated: count(report.nonMatedPairs),
          })}
        </p>
      )}
      {usable ? <p className="soft">{t('calibration.effect')}</p> : null}
      <ErrorLine error={apply.error} />
      <div className="row">
        {usable ? (
          <Button onClick={() => apply.mutate()} loading={apply.isPending}>
            {t('calibration.apply')}
          </Button>
        ) : null}
        <Button variant="default" onClick={close}>
          {t('calibration.discard')}
        </Button>
      </div>
    </div>
  );
}

function Comparison({ of, report }: { of: AppliedCalibration; report: CalibrationReport }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const activeAt = (fmr: number) => of.points.find((point) => point.fmr === fmr);
  const measured = report.points.find(({ fmr }) => fmr === of.defaultFmr);
  const active = activeAt(of.defaultFmr);
  const points = report.points.map(({ fmr, distance, shipped }) => ({
    fmr,
    distance,
    shippedDistance: shipped.distance,
    strictDistance: activeAt(fmr)?.strictDistance ?? null,
  }));
  return (
    <>
      {measured === undefined || active === undefined ? null : (
        <p>
          <strong>
            {t('calibration.change', {
              people: count(Math.round(1 / of.defaultFmr)),
              before: active.distance.toFixed(4),
              after: measured.distance.toFixed(4),
            })}
          </strong>
        </p>
      )}
      <DetCurve measured={report} defaultFmr={of.defaultFmr} />
      <Thresholds of={{ ...of, measured: report, points }} />
    </>
  );
}

/** The same measurement at the terminal, for photos on the machine of the service. */
function InTerminal() {
  const { t } = useTranslation();
  const { company } = useSession();
  const command = `vouch calibration measure PHOTOS --company ${quoted(company.name)} --apply`;
  return (
    <>
      <p className="soft">{t('calibration.inTerminal')}</p>
      <div className="row">
        <code className="mono ltr secret">{command}</code>
        <CopyText value={command} small />
      </div>
    </>
  );
}

/** One word for a POSIX shell and for PowerShell. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'"'"'`)}'`;
}
