import { useState, useEffect, useRef } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconFolderPlus } from '@tabler/icons-react';
import type { AppliedCalibration, CalibrationReport } from '../../../core/contracts/calibration.ts';
import { errorOf } from '../../../core/contracts/errors/problem.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import {
  applyMeasurement,
  beginMeasurement,
  calibrationQuery,
  measurePhoto,
  readMeasurement,
} from '../../api/comparisons.ts';
import { useMay, useSession } from '../../api/session.ts';
import { CopyText } from '../../components/ShownOnce.tsx';
import { Reasons } from '../../components/Reasons.tsx';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { LeaveGuard } from '../../components/Form.tsx';
import { DetCurve, Thresholds } from './Thresholds.tsx';
import { useFileChooser } from '../../components/ImageDrop.tsx';
import { ApiError } from '../../api/client.ts';

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
  const { t } = useWords();
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
            <Action label={t('calibration.stop')} onClick={stop} />
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
  const { t } = useWords();
  return (
    <SegmentBar
      label={t('calibration.measuring')}
      done={done}
      total={total}
      segments={[
        { word: t('calibration.usable'), tone: 'good', number: done - refused },
        { word: t('calibration.unusable'), tone: 'bad', number: refused },
        { word: t('common.waiting'), tone: 'calm', number: total - done },
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
  const { t, count, percent } = useWords();
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
        {usable ? <Action primary label={t('calibration.apply')} work={apply} /> : null}
        <Action label={t('calibration.discard')} onClick={close} />
      </div>
    </div>
  );
}

/** A difference that the table rounds away is no change. */
function changeOf(before: number, after: number): 'stricter' | 'looser' | 'same' {
  if (before.toFixed(4) === after.toFixed(4)) return 'same';
  return after < before ? 'stricter' : 'looser';
}

function Comparison({ of, report }: { of: AppliedCalibration; report: CalibrationReport }) {
  const { t, count, percent } = useWords();
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
            {t(`calibration.change_${changeOf(active.distance, measured.distance)}`, {
              people: count(Math.round(1 / of.defaultFmr)),
              fnmr: percent(measured.fnmr),
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
  const { t } = useWords();
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

/** Begins a measurement with the labelled files of a folder. */
export function ChooseFolder<Labelled>(props: {
  labelled: (files: readonly File[]) => readonly Labelled[];
  start: (files: readonly Labelled[]) => Promise<void>;
  /** Message for a folder without labelled files. */
  none: string;
}) {
  const { labelled, start, none } = props;
  const { t } = useWords();
  const [empty, setEmpty] = useState(false);
  const { chooser, open } = useFileChooser({
    label: t('enrol.chooseFolder'),
    multiple: true,
    folder: true,
    take: (files) => {
      const found = labelled(files);
      setEmpty(found.length === 0);
      if (found.length > 0) void start(found);
    },
  });
  return (
    <>
      <div className="row">
        <Action primary Icon={IconFolderPlus} label={t('enrol.chooseFolder')} onClick={open} />
        {chooser}
      </div>
      {empty ? (
        <p className="error-line" role="alert">
          {none}
        </p>
      ) : null}
    </>
  );
}

/** Photos of a folder with one subfolder for each person. */

interface LabelledPhoto {
  person: string;
  /** Path below the chosen folder. */
  file: string;
  photo: File;
}

const PHOTO = /\.(jpe?g|png)$/i;

/**
 * The photos of a chosen folder, each labelled with the subfolder that it is in.
 * @returns `unlabelled`: photos that are in no subfolder, which belong to no person
 */
export function labelledPhotos(files: readonly File[]): { photos: LabelledPhoto[]; unlabelled: number } {
  const photos: LabelledPhoto[] = [];
  let unlabelled = 0;
  for (const photo of files) {
    if (!PHOTO.test(photo.name)) continue;
    // `webkitRelativePath` begins with the name of the chosen folder.
    const [, ...below] = photo.webkitRelativePath.split('/');
    const person = below.slice(0, -1).join('/');
    if (person === '') unlabelled += 1;
    else photos.push({ person, file: below.join('/'), photo });
  }
  return { photos, unlabelled };
}

/**
 * One measurement of labelled files, of faces or of signatures. It ends with the screen, and a new one ends the one before.
 * @param measure sends the files and follows the run; each state that it reports is shown while it is the present one
 */
export function useMeasuring<F, S extends { stage: string }>(
  work: (files: readonly F[], signal: AbortSignal, update: (state: S) => void) => Promise<void>,
) {
  const [state, setState] = useState<S | { stage: 'none' } | { stage: 'failed'; error: Error }>({
    stage: 'none',
  });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setState({ stage: 'none' });
  };
  const start = async (files: readonly F[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const update = (next: typeof state) => {
      if (!signal.aborted) setState(next);
    };
    try {
      await work(files, signal, update);
    } catch (error) {
      update({ stage: 'failed', error: errorOf(error) });
      // Requests that are still on their way belong to no measurement.
      controller.abort();
    }
  };
  return { state, start, stop };
}

/** @returns undefined: the service does not accept this file, e.g. one above the size limit, which ends no measurement */
export async function unlessRefused<T>(sending: Promise<T>): Promise<T | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 413 || Object.hasOwn(error.fields, 'image')))
      return undefined;
    throw error;
  }
}
