import { useMemo } from 'react';
import { IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../../components/StatusBadge.tsx';
import type { SignatureRow, KnownSetRow } from '../../../core/contracts/dashboard/signatures.ts';
import type { Verdict } from '../../../core/contracts/signatures.ts';
import {
  signatureComparisons,
  comparisonQueryById,
  comparisonReport,
  knownSetReport,
} from '../../api/comparisons.ts';
import {
  ComparisonHistory,
  PairHashes,
  RecordFacts,
  RecordHash,
} from '../../components/comparisons/ComparisonHistory.tsx';
import { column, type Column } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { Loaded, Panel } from '../../components/Page.tsx';
import { ReportButton } from '../../components/ExportButton.tsx';
import { SimilarityScale } from '../../components/ScoreScale.tsx';
import { KnownFindings } from './KnownFindings.tsx';
import './signatures.css';

/** Every comparison of signatures, of two or of a known set, made here or by a program. */
export function Component() {
  const { t, count } = useWords();
  const verdicts = useMemo(
    () => ({
      label: t('signatures.column_verdict'),
      any: t('signatures.anyVerdict'),
      of: (verdict: Verdict) => t(`signatures.verdict_${verdict}`),
    }),
    [t],
  );
  const columns = useMemo(
    (): Column<SignatureRow>[] => [
      column('known', t('knownSignatures.known'), 90, (row) =>
        'known' in row ? count(row.known.sha256.known.length) : '–',
      ),
    ],
    [t, count],
  );
  return (
    <ComparisonHistory
      label={t('nav.signatures')}
      place="/signatures/history"
      source={signatureComparisons}
      verdicts={verdicts}
      columns={columns}
      panel={(id, close) => <ComparisonPanel key={id} id={id} close={close} />}
      none={{ Icon: IconSignature, help: t('signatures.noneHelp') }}
    />
  );
}

/** One record of the history. */
function ComparisonPanel({ id, close }: { id: number; close: () => void }) {
  const { t } = useWords();
  const query = useQuery(comparisonQueryById(id));
  return (
    <Panel title={t('signatures.record', { id })} close={close} parts>
      <Loaded query={query} rows={8}>
        {(row) => <Record row={row} />}
      </Loaded>
    </Panel>
  );
}

function Record({ row }: { row: SignatureRow }) {
  const { t } = useWords();
  const { thresholds } = row;
  return (
    <div className="panel-body column">
      {'known' in row ? <KnownFindings of={row.known} /> : null}
      <SimilarityScale similarity={row.similarity} verdict={row.verdict} thresholds={thresholds} />
      {'known' in row ? null : <p>{t(`signatures.means_${row.verdict}`)}</p>}
      <Report of={'known' in row ? knownSetReport : comparisonReport} id={row.id} />
      <RecordFacts row={row} place="/signatures/history" version={t('signatures.matcher')}>
        {'known' in row ? (
          <KnownFacts row={row} />
        ) : (
          <PairHashes
            of={row}
            labels={[t('signatures.first'), t('signatures.second')]}
            inWords={(reason) => `${t('signatures.unusable')}: ${t(`signatures.reason.${reason}`)}`}
          />
        )}
      </RecordFacts>
    </div>
  );
}

/** The PDF of a record alone: the files that were compared are not at hand here. */
function Report(props: { of: (id: number, request: { language: string }) => Promise<Blob>; id: number }) {
  const { of, id } = props;
  const { language } = useWords();
  return (
    <div>
      <ReportButton fileName={`signature-comparison-${id}.pdf`} make={() => of(id, { language })} />
    </div>
  );
}

/** The calibration of the similarities, and the hashes of the compared files. */
function KnownFacts({ row: { known } }: { row: KnownSetRow }) {
  const { t, count } = useWords();
  const { calibrationId, sha256 } = known;
  return (
    <>
      <Fact label={t('nav.calibration')} className="mono ltr">
        {calibrationId}
      </Fact>
      <RecordHash image={t('knownSignatures.questioned')} sha256={sha256.questioned} />
      {sha256.known.map((hash, index) => (
        <RecordHash
          // The same file may have been given twice.
          key={`${index}-${hash}`}
          image={t('knownSignatures.specimen', { number: count(index + 1) })}
          sha256={hash}
        />
      ))}
    </>
  );
}
