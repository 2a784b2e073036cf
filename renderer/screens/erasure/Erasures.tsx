import {
  IconEraser,
  IconFileCheck,
  IconDownload,
  IconFileTypePdf,
  IconShieldCheck,
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
} from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { type ErasureRow, signedReceipt, type SignedReceipt } from '../../../core/contracts/erasure.ts';
import { receiptText } from '../../../core/contracts/erasureText.ts';
import { Action, Panel, EmptyState, ErrorLine, Loaded } from '../../components/Page.tsx';
import { erasuresQuery, verifyReceipt, receiptQuery, receiptReport } from '../../api/persons.ts';
import { column } from '../../components/list/columns.ts';
import { RecordsPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Fact, Time, StatusMark } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { useFileChooser } from '../../components/ImageDrop.tsx';
import { downloadFile } from '../../components/ExportButton.tsx';
import { downloadReceipt } from './downloadReceipt.ts';
import './erasure.css';

const PLACE = '/erasures';

/** Receipts of erasures: counts, times and operators, without names of erased people. */
export function Component() {
  const { t, count } = useWords();
  const query = useQuery(erasuresQuery);
  const rows = query.data?.items;
  return (
    <RecordsPage
      query={query}
      title={t('nav.erasures')}
      state={rows && t('erasure.state', { total: count(rows.length) })}
      action={<VerifyFile />}
      panel={(row, close) => <ReceiptPanel row={row} close={close} />}
      none={<EmptyState Icon={IconEraser} title={t('erasure.none')} help={t('erasure.noneHelp')} />}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      place={PLACE}
      follow
    />
  );
}

const COLUMNS: MakeColumns<ErasureRow> = ({ t, count }) => [
  column('at', t('erasure.at'), 160, ({ at }) => <Time at={at} />),
  column('proof', t('erasure.proofState'), 225, (row) => <ProofState row={row} />),
  column(
    'who',
    t('erasure.who'),
    { minWidth: 110, grow: 1 },
    ({ by, byName }) => byName ?? <span className="mono ltr">{by}</span>,
  ),
  column('why', t('listing.reason'), 130, ({ reason }) => t(`erasure.reason_${reason}`)),
  column(
    'what',
    t('erasure.what'),
    { minWidth: 150, grow: 2 },
    ({ validations, faces, photos, comparisons }) =>
      t('erasure.counted', {
        validations: count(validations),
        faces: count(faces),
        photos: count(photos),
        comparisons: count(comparisons),
      }),
  ),
];

/** Checks whether this installation signed a receipt file as it is. */
function VerifyFile() {
  const { t } = useWords();
  const check = useMutation({
    mutationFn: async (file: File) => {
      const receipt = await receiptIn(file);
      return receipt === undefined ? ('none' as const) : (await verifyReceipt(receipt)).ours;
    },
  });
  const { chooser, open } = useFileChooser({
    label: t('erasure.verifyFile'),
    accept: '.json,application/json',
    take: ([file]) => {
      if (file !== undefined) check.mutate(file);
    },
  });
  const verdict = check.data;
  return (
    <div className="row">
      <span role="status">
        {verdict === undefined
          ? null
          : verdict === 'none'
            ? t('erasure.notAReceipt')
            : t(verdict ? 'erasure.ours' : 'erasure.notOurs')}
      </span>
      <ErrorLine error={check.error} />
      <Action Icon={IconFileCheck} label={t('erasure.verifyFile')} loading={check.isPending} onClick={open} />
      {chooser}
    </div>
  );
}

async function receiptIn(file: File) {
  try {
    return signedReceipt.safeParse(JSON.parse(await file.text())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** One receipt: its content, the check of its signature, and its files. */
function ReceiptPanel({ row, close }: { row: ErasureRow; close: () => void }) {
  const { t } = useWords();
  const receipt = useQuery({ ...receiptQuery(row.id), enabled: row.finished });
  return (
    <Panel
      title={t('erasure.panel')}
      note={<span className="mono ltr">{row.id}</span>}
      mark={<ProofState row={row} />}
      close={close}
    >
      {!row.finished ? (
        <p>{t('erasure.openReceipt')}</p>
      ) : (
        <Loaded query={receipt} rows={8}>
          {(signed) => (
            <>
              <ReceiptFacts row={row} signed={signed} />
              <Ways signed={signed} />
              <pre className="receipt-text ltr" tabIndex={0} aria-label={t('erasure.panel')}>
                {receiptText(signed)}
              </pre>
            </>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

function ReceiptFacts({ row, signed }: { row: ErasureRow; signed: SignedReceipt }) {
  const { t, count } = useWords();
  const { by, byName, reason, validations, faces, photos, comparisons } = row;
  const { proof } = signed.receipt;
  return (
    <dl className="facts">
      <Fact label={t('erasure.at')} at={row.at} />
      <Fact label={t('erasure.who')}>{byName ?? <span className="mono ltr">{by}</span>}</Fact>
      <Fact label={t('listing.reason')}>{t(`erasure.reason_${reason}`)}</Fact>
      <Fact label={t('erasure.what')}>
        {t('erasure.counted', {
          validations: count(validations),
          faces: count(faces),
          photos: count(photos),
          comparisons: count(comparisons),
        })}
      </Fact>
      {proof === null ? null : (
        <Fact label={t('erasure.proofState')}>
          {t('erasure.proof', {
            sought: count(proof.sought),
            pages: count(proof.pages),
            found: count(proof.found),
          })}
        </Fact>
      )}
      <Fact label={t('erasure.outside')}>{count(row.unreached)}</Fact>
    </dl>
  );
}

function Ways({ signed }: { signed: SignedReceipt }) {
  const { t, language } = useWords();
  const { id } = signed.receipt;
  const check = useMutation({ mutationFn: () => verifyReceipt(signed) });
  const pdf = useMutation({
    mutationFn: () => receiptReport(id, language),
    onSuccess: (content) => downloadFile(`erasure-${id}.pdf`, content),
  });
  return (
    <>
      <div className="row wrap">
        <Action primary size="xs" Icon={IconShieldCheck} label={t('erasure.verify')} work={check} />
        <Action size="xs" Icon={IconFileTypePdf} label={t('erasure.pdf')} work={pdf} />
        <Action
          size="xs"
          Icon={IconDownload}
          label={t('erasure.receipt')}
          onClick={() => downloadReceipt(signed)}
        />
      </div>
      <p role="status">
        {check.data === undefined ? null : t(check.data.ours ? 'erasure.ours' : 'erasure.notOurs')}
      </p>
      <ErrorLine error={check.error ?? pdf.error} />
    </>
  );
}

/** The state of the proof. On PostgreSQL the unused space of the database is not searched. */
function ProofState({ row }: { row: ErasureRow }) {
  const { t, count } = useWords();
  const { finished, found, verified } = row;
  const [tone, Icon, words] = !finished
    ? (['warn', IconClock, t('erasure.notFinished')] as const)
    : verified !== true
      ? (['bad', IconAlertTriangle, t('erasure.notGood')] as const)
      : found === null
        ? (['warn', IconAlertTriangle, t('erasure.notSearched')] as const)
        : found === 0
          ? (['good', IconCircleCheck, t('erasure.verified')] as const)
          : (['warn', IconAlertTriangle, t('erasure.tracesFound', { found: count(found) })] as const);
  return <StatusMark tone={tone} Icon={Icon} label={words} />;
}
