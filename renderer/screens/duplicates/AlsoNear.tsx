import { Button } from '@mantine/core';
import { IconArrowsJoin2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { GroupDetail } from '../../../core/contracts/dashboard/duplicates.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScoreScale } from '../../components/ScoreScale.tsx';

/** Faces near the group that are not in it, why, and joining them by hand. */
export function AlsoNear(props: {
  detail: GroupDetail;
  /** Undefined: the role decides nothing. */
  join: ((near: GroupDetail['alsoNear'][number]) => void) | undefined;
}) {
  const { detail, join } = props;
  const { t } = useTranslation();
  if (detail.alsoNear.length === 0) return null;
  return (
    <section className="column" aria-labelledby="also-near">
      <h2 id="also-near">{t('duplicates.alsoNear')}</h2>
      <p className="soft">{t('duplicates.alsoNearHelp')}</p>
      <ul className="face-list">
        {detail.alsoNear.map((near) => (
          <li key={near.face.id} className="near-face">
            <FaceThumbnail url={near.face.faceImage.thumbnailUrl} name={near.face.name} size={44} />
            <span className="choice-words">
              <span dir="auto" className="cut">
                {near.face.name}
              </span>
              <span className="soft">{t(`duplicates.why_${near.why}`)}</span>
            </span>
            <span className="row">
              {near.group === null ? null : (
                <Button
                  component={Link}
                  to={`/duplicates/${near.group.id}`}
                  size="compact-xs"
                  variant="default"
                >
                  {t('duplicates.openGroup')}
                </Button>
              )}
              {join === undefined ? null : (
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<IconArrowsJoin2 size={14} aria-hidden />}
                  onClick={() => join(near)}
                >
                  {t('duplicates.join')}
                </Button>
              )}
            </span>
            <span className="near-score">
              <ScoreScale reading={near.reading} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
