import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GroupRow } from '../../../core/contracts/dashboard/duplicates.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import type { Column } from '../../components/list/columns.ts';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useCertainty } from './groupParts.tsx';
import { GroupStatus } from './GroupStatus.tsx';

/** The columns of the list of groups. */
export function useGroupColumns(): Column<GroupRow>[] {
  const { t } = useTranslation();
  const { count, decimal, list } = useFormats();
  const share = useCertainty();
  return useMemo(
    () => [
      {
        key: 'faces',
        label: t('duplicates.column_faces'),
        minWidth: 132,
        iconOnly: true,
        cell: ({ faces }) => (
          <span className="group-faces">
            {faces.map(({ id, name, faceImage }) => (
              <FaceThumbnail key={id} url={faceImage.thumbnailUrl} name={name} />
            ))}
          </span>
        ),
      },
      {
        key: 'names',
        label: t('duplicates.column_names'),
        minWidth: 160,
        grow: 2,
        cell: ({ faces, size }) => {
          const names = list([...new Set(faces.map(({ name }) => name))]);
          return (
            <div dir="auto" className="cut">
              {size > faces.length ? t('duplicates.moreNames', { names, count: size - faces.length }) : names}
            </div>
          );
        },
      },
      {
        key: 'size',
        label: t('duplicates.column_size'),
        minWidth: 60,
        cell: ({ size }) => count(size),
      },
      {
        key: 'certainty',
        label: t('duplicates.column_certainty'),
        minWidth: 130,
        cell: ({ identical, certainty }) => (identical ? t('duplicates.identical') : share(certainty)),
      },
      {
        key: 'similarity',
        label: t('duplicates.column_similarity'),
        minWidth: 130,
        dropOrder: 8,
        cell: ({ reading }) => `${decimal(reading.score)} (${t(`score.${reading.band}`)})`,
      },
      {
        key: 'state',
        label: t('duplicates.column_state'),
        minWidth: 130,
        cell: ({ state }) => <GroupStatus state={state} />,
      },
      {
        key: 'changed',
        label: t('duplicates.column_changed'),
        minWidth: 170,
        dropOrder: 9,
        cell: ({ changedAt }) => <Time at={changedAt} />,
      },
    ],
    [t, count, decimal, list, share],
  );
}
