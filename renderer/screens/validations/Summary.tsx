import { useTranslation } from 'react-i18next';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { FaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { IncompleteReason } from './IncompleteReason.tsx';

export function Summary({ detail }: { detail: ValidationDetail }) {
  const { t } = useTranslation();
  const { list } = useFormats();
  const { portrait, screening } = detail;
  const none = t('common.none');
  return (
    <div className="summary">
      {detail.incompleteReason === null ? null : <IncompleteReason code={detail.incompleteReason} />}
      {portrait?.imageUrl == null ? null : (
        <img className="summary-photo" src={portrait.imageUrl} alt={t('face.chip', { name: detail.name })} />
      )}
      <dl className="facts">
        <dt>{t('validations.column_flow')}</dt>
        <dd>{detail.trustFlowName}</dd>
        {detail.reference === null ? null : (
          <>
            <dt>{t('verify.reference')}</dt>
            <dd>
              <bdi>{detail.reference}</bdi>
            </dd>
          </>
        )}
        <dt>{t('validations.column_created')}</dt>
        <dd>
          <Time at={detail.createdAt} />
        </dd>
        <dt>{t('validations.column_finalized')}</dt>
        <dd>
          <Time at={detail.finalizedAt} />
        </dd>
        <dt>{t('validations.screenedAt')}</dt>
        <dd>
          <Time at={screening.at} />
        </dd>
        <dt>{t('validations.screenedDuplicates')}</dt>
        <dd>{t(screening.duplicates ? 'validations.yes' : 'validations.no')}</dd>
        <dt>{t('validations.screenedBlacklists')}</dt>
        <dd>{screening.blacklists.length === 0 ? none : list(screening.blacklists)}</dd>
        {screening.notScreened.length === 0 ? null : (
          <>
            <dt>{t('validations.gone')}</dt>
            <dd>{list(screening.notScreened)}</dd>
          </>
        )}
        {portrait === null ? null : <FaceImageFacts portrait={portrait} without="enrolled" />}
      </dl>
    </div>
  );
}
