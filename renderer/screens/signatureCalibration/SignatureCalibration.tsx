import { useQuery } from '@tanstack/react-query';
import { Fact } from '../../components/StatusBadge.tsx';
import type {
  AppliedSignatureCalibration,
  MeasuredSignatures,
  SignatureCalibrationReport,
  LabelledSignature,
} from '../../../core/contracts/signatureCalibration.ts';
import {
  SIGNATURE_FAULT_PROBLEMS,
  SIGNATURE_REASONS,
  type SignatureFault,
  type SignatureReason,
} from '../../../core/contracts/signatures.ts';
import { Loaded, Page } from '../../components/Page.tsx';
import { useMay } from '../../api/session.ts';
import {
  addSignature,
  applySignatureMeasurement,
  beginSignatureMeasurement,
  readSignatureMeasurement,
  resetSignatureCalibration,
  signatureCalibrationQuery,
} from '../../api/comparisons.ts';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useWords } from '../../i18n/words.tsx';
import {
  labelledPhotos,
  MeasureCard,
  Mislabelled,
  Outcome,
  ResetCalibration,
  unlessRefused,
} from '../calibration/Measure.tsx';
import { ShippedRates, OwnRates, OwnKnownRates } from '../signatures/ErrorRates.tsx';
import '../signatures/signatures.css';

/** Between two polls of the comparison, milliseconds. */
const POLL_MS = 500;

type SignatureMeasurement =
  | { stage: 'sending'; sent: number; total: number }
  | { stage: 'comparing'; compared: number; total: number; secondsLeft: number | null }
  | { stage: 'measured'; run: string; report: SignatureCalibrationReport; notAccepted: string[] }
  | { stage: 'mislabelled'; pairs: string[] };

/** The signature scale of the company, and its measurement on the company's own signatures. */
export function Component() {
  const { t, count, time } = useWords();
  const query = useQuery(signatureCalibrationQuery);
  const { data } = query;
  const state =
    data === undefined
      ? null
      : data.appliedAt === null || data.measured === null
        ? t('signatureCalibration.stateShipped')
        : t('signatureCalibration.stateOwn', {
            signatures: count(data.measured.signatures),
            time: time(data.appliedAt),
          });
  return (
    <Page
      title={t('nav.signatureCalibration')}
      state={state}
      action={data === undefined ? null : <Reset of={data} />}
    >
      <div className="page-scroll column">
        <Loaded query={query}>
          {(of) => (
            <>
              <Basis of={of} />
              <Measure />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function Basis({ of }: { of: AppliedSignatureCalibration }) {
  const { t, list } = useWords();
  return (
    <section className="card column">
      <h2>{t('signatures.rates')}</h2>
      {of.measured === null ? (
        <>
          {of.elsewhere.length === 0 ? null : (
            <p>{t('signatureCalibration.elsewhere', { versions: list(of.elsewhere) })}</p>
          )}
          <p>{t('signatureCalibration.shippedHelp')}</p>
          <ShippedRates />
        </>
      ) : (
        <>
          <Counts of={of.measured} />
          <OwnRates of={of.measured} />
          <KnownSets of={of.measured} />
        </>
      )}
    </section>
  );
}

function KnownSets({ of: { knownSets } }: { of: MeasuredSignatures }) {
  const { t } = useWords();
  return (
    <>
      <h3 className="rates-heading">{t('knownSignatures.ownRates')}</h3>
      {knownSets === null ? (
        <p className="soft">{t('knownSignatures.ownNone')}</p>
      ) : (
        <OwnKnownRates of={knownSets} />
      )}
    </>
  );
}

function Counts({ of }: { of: NonNullable<AppliedSignatureCalibration['measured']> }) {
  const { t, count } = useWords();
  const facts = [
    ['writers', of.writers],
    ['signatures', of.signatures],
    ['forgeries', of.forgeries],
    ['genuinePairs', of.pairs.genuine],
    ['forgeryPairs', of.pairs.forgery],
    ['differentWritersPairs', of.pairs.differentWriters],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([word, number]) => (
        <Fact key={word} label={t(`signatureCalibration.${word}`)}>
          {count(number)}
        </Fact>
      ))}
    </dl>
  );
}

/** Measures labelled signatures, shows the result, and applies it. */
function Measure() {
  return (
    <MeasureCard
      kind="signatureCalibration"
      needs="settings:write"
      labelled={labelledSignatures}
      measure={measure}
      idle={(ended) =>
        ended?.stage === 'mislabelled' ? (
          <Mislabelled kind="signatureCalibration" pairs={ended.pairs} />
        ) : null
      }
    >
      {(state, close) =>
        state.stage === 'measured' ? (
          <Result {...state} close={close} />
        ) : state.stage === 'mislabelled' ? null : (
          <Progress state={state} />
        )
      }
    </MeasureCard>
  );
}

function Progress({ state }: { state: Extract<SignatureMeasurement, { stage: 'sending' | 'comparing' }> }) {
  const { t, duration } = useWords();
  const [word, done] =
    state.stage === 'sending' ? (['sending', state.sent] as const) : (['comparing', state.compared] as const);
  const left = state.stage === 'comparing' ? state.secondsLeft : null;
  return (
    <>
      <SegmentBar
        label={t(`signatureCalibration.${word}`)}
        done={done}
        total={state.total}
        segments={[
          { word: t(`signatureCalibration.${word}`), tone: 'good', number: done },
          { word: t('common.waiting'), tone: 'calm', number: state.total - done },
        ]}
      />
      {left === null ? null : (
        <p className="soft">{t('signatureCalibration.left', { time: duration(left) })}</p>
      )}
    </>
  );
}

function Result(props: {
  run: string;
  report: SignatureCalibrationReport;
  notAccepted: readonly string[];
  close: () => void;
}) {
  const { run, report, notAccepted, close } = props;
  const { t } = useWords();
  return (
    <Outcome
      kind="signatureCalibration"
      query={signatureCalibrationQuery}
      apply={() => applySignatureMeasurement(run)}
      usable={report.tooFew === null}
      close={close}
    >
      <Counts of={report} />
      <Unusable report={report} notAccepted={notAccepted} />
      <OwnRates of={report} />
      <KnownSets of={report} />
      {report.tooFew === null ? null : (
        <p className="error-line">{t(`signatureCalibration.tooFew_${report.tooFew}`)}</p>
      )}
    </Outcome>
  );
}

/** Files that take part in no pair, by name. */
function Unusable(props: { report: SignatureCalibrationReport; notAccepted: readonly string[] }) {
  const { report, notAccepted } = props;
  const { t, count } = useWords();
  const files = [
    ...report.unusable.map(({ file, code }) => ({
      file,
      why: isReason(code)
        ? t(`signatures.reason.${code}`)
        : translateServerMessage(SIGNATURE_FAULT_PROBLEMS[code](t('signatureCalibration.image'))),
    })),
    ...notAccepted.map((file) => ({ file, why: t('signatures.notImage') })),
  ];
  if (files.length === 0) return null;
  return (
    <details>
      <summary>
        {t('signatureCalibration.unusable', { files: count(files.length), count: files.length })}
      </summary>
      <ul>
        {files.map(({ file, why }) => (
          <li key={file}>
            <bdi className="mono">{file}</bdi>: {why}
          </li>
        ))}
      </ul>
    </details>
  );
}

const isReason = (code: SignatureReason | SignatureFault): code is SignatureReason =>
  SIGNATURE_REASONS.some((reason) => reason === code);

function Reset({ of }: { of: AppliedSignatureCalibration }) {
  const { t, count } = useWords();
  const may = useMay();
  if (of.measured === null || !may('settings:write')) return null;
  return (
    <ResetCalibration
      kind="signatureCalibration"
      query={signatureCalibrationQuery}
      reset={resetSignatureCalibration}
    >
      {t('signatureCalibration.resetWhat', {
        writers: count(of.measured.writers),
        signatures: count(of.measured.signatures),
      })}
    </ResetCalibration>
  );
}

/** Sends the signatures, then follows the comparison. */
async function measure(
  files: readonly SignatureFile[],
  signal: AbortSignal,
  update: (state: SignatureMeasurement) => void,
): Promise<void> {
  const { run } = await beginSignatureMeasurement();
  const notAccepted: string[] = [];
  const pairs: string[] = [];
  for (const [sent, file] of files.entries()) {
    update({ stage: 'sending', sent, total: files.length });
    const added = await unlessRefused(addSignature(run, file, signal));
    if (added === undefined) notAccepted.push(file.file);
    else if (
      added.sameAs !== null &&
      (added.sameAs.writer !== file.writer || added.sameAs.forgery !== file.forgery)
    )
      pairs.push(`${added.sameAs.file} = ${file.file}`);
  }
  if (pairs.length > 0) {
    update({ stage: 'mislabelled', pairs });
    return;
  }
  for (;;) {
    const { report, ...progress } = await readSignatureMeasurement(run, signal);
    if (report !== null) {
      update({ stage: 'measured', run, report, notAccepted });
      return;
    }
    update({ stage: 'comparing', ...progress });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

type SignatureFile = LabelledSignature & { image: File };

/** The subfolder of a writer that holds imitations of this writer's signature; the terminal uses the same name. */
const IMITATIONS = /\/imitations$/i;

/** The images of a chosen folder, each labelled with the subfolder that it is in. */
function labelledSignatures(files: readonly File[]): SignatureFile[] {
  return labelledPhotos(files).photos.map(({ person, file, photo }) => ({
    writer: person.replace(IMITATIONS, ''),
    forgery: IMITATIONS.test(person),
    file,
    image: photo,
  }));
}
