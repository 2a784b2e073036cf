import { useStore } from 'zustand';
import type { FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { column } from '../../components/list/columns.ts';
import type { MakeColumns } from '../../components/list/ListBody.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { useSmallEnough } from '../../components/readableImage.ts';
import { useObjectUrl } from '../../components/ImageDrop.tsx';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { useWords } from '../../i18n/words.tsx';

export const FAILURE_COLUMNS: MakeColumns<FailureRow> = ({ t }) => [
  column('photo', t('facts.photo'), { minWidth: 28, iconOnly: true, dropOrder: 3 }, (failure) => (
    <Photo failure={failure} />
  )),
  column('file', t('facts.file'), { minWidth: 130, grow: 1, dropOrder: 0 }, ({ fileName }) => (
    <bdi title={fileName}>{fileName}</bdi>
  )),
  column('reason', t('listing.reason'), { minWidth: 120, dropOrder: 1 }, ({ failureCode }) =>
    t(`failedPhotos.reason_${failureCode}`),
  ),
  column('remedy', t('failedPhotos.remedy'), { minWidth: 220, grow: 2, dropOrder: 2 }, (failure) => (
    <Remedy failure={failure} />
  )),
  column('person', t('facts.person'), { minWidth: 110, dropOrder: 7 }, ({ person }) => person?.name ?? '–'),
  column('run', t('facts.folder'), { minWidth: 110, dropOrder: 4 }, ({ runName }) => runName ?? '–'),
  column(
    'list',
    t('enrol.target'),
    { minWidth: 120, dropOrder: 6 },
    ({ blacklistName }) => blacklistName ?? t('common.mainGallery'),
  ),
  column('at', t('failedPhotos.at'), { minWidth: 150, dropOrder: 5 }, ({ at }) => <Time at={at} />),
];

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
