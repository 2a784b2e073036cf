import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import type { Column } from '../../components/list/columns.ts';
import { Time } from '../../components/StatusBadge.tsx';
import { useSmallEnough } from '../../components/readableImage.ts';
import { useObjectUrl } from '../../components/ImageDrop.tsx';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { useWords } from '../../i18n/words.tsx';

export function useFailureColumns(): Column<FailureRow>[] {
  const { t } = useWords();
  return useMemo(
    () => [
      {
        key: 'photo',
        label: t('facts.photo'),
        minWidth: 28,
        iconOnly: true,
        dropOrder: 3,
        cell: (failure) => <Photo failure={failure} />,
      },
      {
        key: 'file',
        label: t('facts.file'),
        minWidth: 130,
        grow: 1,
        dropOrder: 0,
        cell: ({ fileName }) => <bdi title={fileName}>{fileName}</bdi>,
      },
      {
        key: 'reason',
        label: t('listing.reason'),
        minWidth: 120,
        dropOrder: 1,
        cell: ({ failureCode }) => t(`failedPhotos.reason_${failureCode}`),
      },
      {
        key: 'remedy',
        label: t('failedPhotos.remedy'),
        minWidth: 220,
        grow: 2,
        dropOrder: 2,
        cell: (failure) => <Remedy failure={failure} />,
      },
      {
        key: 'run',
        label: t('uploads.folder'),
        minWidth: 110,
        dropOrder: 4,
        cell: ({ runName }) => (runName === null ? '–' : <bdi>{runName}</bdi>),
      },
      {
        key: 'list',
        label: t('enrol.target'),
        minWidth: 120,
        dropOrder: 6,
        cell: ({ blacklistName }) => blacklistName ?? t('common.mainGallery'),
      },
      {
        key: 'at',
        label: t('failedPhotos.at'),
        minWidth: 150,
        dropOrder: 5,
        cell: ({ at }) => <Time at={at} />,
      },
    ],
    [t],
  );
}

/** The remedy for a failed photo, its correction, or the mark that it cannot be fixed. */
export function Remedy({ failure: { failureCode, fix, unfixable } }: { failure: FailureRow }) {
  const { t } = useWords();
  if (unfixable !== null && (fix === null || fix.state === 'failed')) {
    const by = unfixable.byName ?? t('common.unknown');
    const note = unfixable.note ?? '';
    return <bdi title={note}>{t('failedPhotos.unfixable', { by, note }).trim()}</bdi>;
  }
  if (fix === null) return t(`failures.${failureCode}.remedy`);
  const by = fix.byName ?? t('common.unknown');
  if (fix.state === 'processing') return t('failedPhotos.fixProcessing', { by });
  if (fix.state === 'failed')
    return t('failedPhotos.fixFailed', {
      reason: t(`failedPhotos.reason_${fix.failureCode ?? failureCode}`),
    });
  return fix.face === null
    ? t('failedPhotos.fixed', { by })
    : t('failedPhotos.fixedFace', { by, face: fix.face, faces: fix.faces });
}

/** The photo from the disk, where this window can read it. */
function Photo({ failure }: { failure: FailureRow }) {
  const file = useStore(photoFiles, (state) => fileOf(state, failure));
  const url = useObjectUrl(useSmallEnough(file));
  return url === null ? null : <FaceThumbnail key={url} url={url} name={failure.fileName} />;
}
