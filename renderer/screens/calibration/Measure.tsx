import { useState, useEffect, useRef, type ReactNode } from 'react';
import { useMutation, useQueryClient, type DataTag, type QueryKey } from '@tanstack/react-query';
import { IconFolderPlus } from '@tabler/icons-react';
import type { AppliedCalibration, CalibrationReport } from '../../../core/contracts/calibration.ts';
import type { Permission } from '../../../core/contracts/dashboard/permissions.ts';
import { GROUPS_FILE, groupsOfTable } from '../../../core/uploader/personGroups.ts';
import { errorOf } from '../../../core/contracts/errors/problem.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import {
  applyMeasurement,
  beginMeasurement,
  calibrationQuery,
  measurePhoto,
  readMeasurement,
  type LabelledPhoto,
} from '../../api/comparisons.ts';
import { useMay, useSession } from '../../api/session.ts';
import { CopyText } from '../../components/ShownOnce.tsx';
import { Reasons } from '../../components/Reasons.tsx';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { ConfirmByTyping, LeaveGuard } from '../../components/Form.tsx';
import { DetCurve, Groups, Thresholds } from './Thresholds.tsx';
import { textOf } from '../enrol/droppedFiles.ts';
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
  return (
    <MeasureCard
      kind="calibration"
      needs="pipelines:write"
      labelled={(files) => labelledPhotos(files).photos}
      measure={measureWith(t('calibration.groupsUnusable'))}
      idle={() => <InTerminal />}
    >
      {(state, close) =>
        state.stage === 'measuring' ? (
          <MeasuringBar progress={state.progress} />
        ) : (
          <Result of={of} report={state.report} progress={state.progress} close={close} />
        )
      }
    </MeasureCard>
  );
}

/**
 * Sends the photos to the service, then reads the report.
 * @param unusable the error where the table of groups in the folder cannot be used
 */
const measureWith =
  (unusable: string): Measuring<LabelledPhoto, Measurement> =>
  async (photos, signal, update, chosen) => {
    const table = chosen.find(
      ({ name, webkitRelativePath: path }) => name === GROUPS_FILE && path.split('/').length === 2,
    );
    const groups = table === undefined ? {} : groupsOfTable(await textOf(table));
    if (groups === undefined) throw new ApiError(422, unusable);
    const progress: Progress = {
      total: photos.length,
      done: 0,
      refused: 0,
      notAccepted: 0,
      repeated: 0,
      mislabelled: [],
    };
    update({ stage: 'measuring', progress: { ...progress } });
    const { run } = await beginMeasurement(groups);
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
  };

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

/** Names that are shown of people without photos; all of them are counted. */
const UNMATCHED_SHOWN = 20;

/** The result of a measurement beside the active thresholds. */
function Result(props: {
  of: AppliedCalibration;
  report: CalibrationReport;
  progress: Progress;
  close: () => void;
}) {
  const { of, report, progress, close } = props;
  const { t, count, list, percent } = useWords();
  const wrong = progress.mislabelled.length > 0;
  return (
    <Outcome
      kind="calibration"
      query={calibrationQuery}
      apply={() => applyMeasurement(report.run)}
      usable={report.tooFew === null && !wrong}
      close={close}
    >
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
      {wrong ? <Mislabelled kind="calibration" pairs={progress.mislabelled} /> : null}
      {report.unmatched.length === 0 ? null : (
        <p>
          {t('calibration.unmatched', {
            people: count(report.unmatched.length),
            names: list(report.unmatched.slice(0, UNMATCHED_SHOWN)),
          })}
        </p>
      )}
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
    </Outcome>
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
      {report.groups === null ? null : <Groups of={report.groups} />}
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

/** The namespace of the texts: thresholds are calibrated on faces, the scale on signatures. */
export type MeasuredKind = 'calibration' | 'signatureCalibration';

/**
 * The card in which labelled files of a folder are measured. Its content while it measures, and the result, are the
 * children.
 */
export function MeasureCard<F, S extends { stage: string }>(props: {
  kind: MeasuredKind;
  needs: Permission;
  labelled: (files: readonly File[]) => readonly F[];
  measure: Measuring<F, S>;
  /** Below the choice of the folder. `ended`: the measurement that ended without a result. */
  idle: (ended: S | null) => ReactNode;
  children: (state: S, close: () => void) => ReactNode;
}) {
  const { kind, needs, labelled, measure: work, idle, children } = props;
  const { t } = useWords();
  const may = useMay();
  const { state, error, start, stop } = useMeasuring(work);
  const [empty, setEmpty] = useState(false);
  const { chooser, open } = useFileChooser({
    label: t('enrol.chooseFolder'),
    multiple: true,
    folder: true,
    take: (files) => {
      const found = labelled(files);
      setEmpty(found.length === 0);
      if (found.length > 0) void start(found, files);
    },
  });
  const ended = state === null || state.stage === 'mislabelled';
  return (
    <section className="card column">
      <h2>{t(`${kind}.make`)}</h2>
      <LeaveGuard active={!ended} />
      {ended ? (
        <>
          <p>{t(`${kind}.makeHelp`)}</p>
          {may(needs) ? (
            <div className="row">
              <Action primary Icon={IconFolderPlus} label={t('enrol.chooseFolder')} onClick={open} />
              {chooser}
            </div>
          ) : null}
          {empty ? (
            <p className="error-line" role="alert">
              {t(`${kind}.noFiles`)}
            </p>
          ) : null}
          <ErrorLine error={error} />
          {idle(state)}
        </>
      ) : (
        children(state, stop)
      )}
      {ended || state.stage === 'measured' ? null : (
        <div className="row">
          <Action label={t('calibration.stop')} onClick={stop} />
        </div>
      )}
    </section>
  );
}

/** The result of a measurement. Nothing has changed until it is applied. */
export function Outcome<A>(props: {
  kind: MeasuredKind;
  query: { queryKey: DataTag<QueryKey, A, Error> };
  apply: () => Promise<A>;
  /** The result can be applied. */
  usable: boolean;
  close: () => void;
  children: ReactNode;
}) {
  const { kind, query, apply, usable, close, children } = props;
  const { t } = useWords();
  const client = useQueryClient();
  const work = useMutation({
    mutationFn: apply,
    onSuccess: (now) => {
      client.setQueryData<A>(query.queryKey, now);
      undoStore.getState().notify(t(`${kind}.applied`));
      close();
    },
  });
  return (
    <div className="column" role="status">
      {children}
      {usable ? <p className="soft">{t(`${kind}.effect`)}</p> : null}
      <ErrorLine error={work.error} />
      <div className="row">
        {usable ? <Action primary label={t(`${kind}.apply`)} work={work} /> : null}
        <Action label={t('calibration.discard')} onClick={close} />
      </div>
    </div>
  );
}

/** Pairs of files with the same content and two labels. */
export function Mislabelled({ kind, pairs }: { kind: MeasuredKind; pairs: readonly string[] }) {
  const { t } = useWords();
  return (
    <div className="error-line column" role="alert">
      <p>{t(`${kind}.mislabelled`)}</p>
      <ul>
        {pairs.slice(0, 10).map((pair) => (
          <li key={pair} className="mono ltr">
            {pair}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns to what the product ships, after the name of the company was typed. The children name what is deleted. */
export function ResetCalibration<A>(props: {
  kind: MeasuredKind;
  query: { queryKey: DataTag<QueryKey, A, Error> };
  reset: () => Promise<A>;
  children: ReactNode;
}) {
  const { kind, query, reset, children } = props;
  const { t } = useWords();
  const client = useQueryClient();
  const { company } = useSession();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Action label={t(`${kind}.reset`)} onClick={() => setAsking(true)} />
      {asking ? (
        <ConfirmByTyping
          title={t(`${kind}.resetTitle`)}
          name={company.name}
          action={t(`${kind}.reset`)}
          close={() => setAsking(false)}
          done={t(`${kind}.resetDone`)}
          run={async () => client.setQueryData<A>(query.queryKey, await reset())}
        >
          {children}
        </ConfirmByTyping>
      ) : null}
    </>
  );
}

/** Photos of a folder with one subfolder for each person. */

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

/** Sends the files and follows the run; `chosen` are all files of the folder. Each state that it reports is shown while it is the present one. */
type Measuring<F, S> = (
  files: readonly F[],
  signal: AbortSignal,
  update: (state: S) => void,
  chosen: readonly File[],
) => Promise<void>;

/** One measurement of labelled files. It ends with the screen, and a new one ends the one before. */
function useMeasuring<F, S>(work: Measuring<F, S>) {
  const [state, setState] = useState<S | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setState(null);
    setError(null);
  };
  const start = async (files: readonly F[], chosen: readonly File[]) => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    try {
      const update = (next: S) => {
        if (!signal.aborted) setState(next);
      };
      await work(files, signal, update, chosen);
    } catch (failure) {
      if (signal.aborted) return;
      setState(null);
      setError(errorOf(failure));
      // Requests that are still on their way belong to no measurement.
      controller.abort();
    }
  };
  return { state, error, start, stop };
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
