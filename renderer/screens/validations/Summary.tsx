import { useTranslation } from 'react-i18next';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { FaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { Time } from '../../components/Time.tsx';
import { useDrawn } from '../../components/useDrawn.ts';
import { useFormats } from '../../i18n/format.ts';
import { IncompleteReason } from './IncompleteReason.tsx';

export function Summary(props: {
  detail: ValidationDetail;
  /** Called when the photo is on screen. */
  drawn?: () => void;
}) {
  const { detail, drawn } = props;
  const { t } = useTranslation();
  const { list } = useFormats();
  const { faceImage, screening } = detail;
  const none = t('common.none');
  const photo = faceImage?.imageUrl ?? null;
  const ready = useDrawn(photo === null ? [] : [photo], drawn);
  return (
    <div className="summary">
      {detail.incompleteReason === null ? null : <IncompleteReason code={detail.incompleteReason} />}
      {photo === null ? null : (
        <img
          className="summary-photo"
          src={photo}
          alt={t('face.thumbnail', { name: detail.name })}
          onLoad={() => ready(photo)}
          onError={() => ready(photo)}
        />
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
        {faceImage === null ? null : <FaceImageFacts faceImage={faceImage} without="enrolled" />}
      </dl>
    </div>
  );
}
