import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SignatureRow } from '../../../core/contracts/dashboard/signatures.ts';
import { useFormats } from '../../i18n/format.ts';
import { Time } from '../Time.tsx';

/** The recorded fields of every comparison, of signatures or of faces. */
export type ComparisonFacts = Pick<
  SignatureRow,
  | 'id'
  | 'at'
  | 'templateId'
  | 'verificationId'
  | 'credential'
  | 'operator'
  | 'similarity'
  | 'verdict'
  | 'thresholds'
  | 'modelVersion'
>;

/** The recorded fields of one comparison. @param place address of the list that its links filter */
export function RecordFacts(props: {
  row: ComparisonFacts;
  place: string;
  /** The name of the version that compared. */
  version: string;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { row, place, children } = props;
  return (
    <dl className="facts">
      <dt>{t('signatures.column_at')}</dt>
      <dd>
        <Time at={row.at} />
      </dd>
      <dt>{t('signatures.column_by')}</dt>
      <dd>{row.operator ?? t('signatures.program', { credential: row.credential })}</dd>
      <dt>{t('signatures.template')}</dt>
      <dd>
        {row.templateId}{' '}
        <Link to={`${place}?template_id=${encodeURIComponent(row.templateId)}`}>
          {t('signatures.sameTemplate')}
        </Link>
      </dd>
      <dt>{t('signatures.verification')}</dt>
      <dd>
        {row.verificationId}{' '}
        <Link to={`${place}?verification_id=${encodeURIComponent(row.verificationId)}`}>
          {t('signatures.sameVerification')}
        </Link>
      </dd>
      <dt>{props.version}</dt>
      <dd className="mono ltr">{row.modelVersion}</dd>
      {children}
    </dl>
  );
}

/** The hash of one compared file. */
export function RecordHash({ image, sha256 }: { image: string; sha256: string }) {
  const { t } = useTranslation();
  const { list } = useFormats();
  return (
    <>
      <dt>{list([image, t('facts.sha256')])}</dt>
      <dd className="mono ltr">{sha256}</dd>
    </>
  );
}
