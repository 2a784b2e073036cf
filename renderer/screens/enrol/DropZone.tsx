import { Button } from '@mantine/core';
import { IconFolderPlus, IconPhotoPlus, IconUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DropTarget } from '../../components/DropTarget.tsx';
import { useFileChooser } from '../../components/useFileChooser.tsx';
import type { ShellBridge } from '../../../core/contracts/shell.ts';
import { readOfferedFolder, shell } from '../../api/shell.ts';
import { chosenFiles, takeDropped, type FoundFile } from './droppedFiles.ts';

/** Takes files and whole folders, dropped or chosen. */
export function DropZone(props: {
  found: (files: Promise<FoundFile[]>) => void;
  report: (found: number) => void;
}) {
  const { t } = useTranslation();
  const { found, report } = props;
  const take = (chosen: readonly File[]) => found(Promise.resolve(chosenFiles(chosen)));
  const files = useFileChooser({
    label: t('enrol.chooseFiles'),
    accept: 'image/*',
    multiple: true,
    take,
  });
  const folder = useFileChooser({ label: t('enrol.chooseFolder'), multiple: true, folder: true, take });
  const chooseOutside = async (around: ShellBridge<File>) => {
    const offer = await around.chooseFolder();
    if (offer !== null) found(readOfferedFolder(offer));
  };
  return (
    <DropTarget take={(data) => found(takeDropped(data, report))}>
      <IconUpload size={36} stroke={1.3} aria-hidden />
      <p className="drop-title">{t('enrol.drop')}</p>
      <p className="soft">{t('enrol.dropHelp')}</p>
      <div className="row">
        <Button
          leftSection={<IconFolderPlus size={16} aria-hidden />}
          onClick={() => {
            const around = shell();
            if (around === undefined) folder.open();
            else void chooseOutside(around);
          }}
        >
          {t('enrol.chooseFolder')}
        </Button>
        <Button variant="default" leftSection={<IconPhotoPlus size={16} aria-hidden />} onClick={files.open}>
          {t('enrol.chooseFiles')}
        </Button>
      </div>
      {files.chooser}
      {folder.chooser}
    </DropTarget>
  );
}
