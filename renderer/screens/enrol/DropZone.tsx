import { useRef } from 'react';
import { Button } from '@mantine/core';
import { IconFolderPlus, IconPhotoPlus, IconUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DropTarget } from '../../components/DropTarget.tsx';
import type { ShellBridge } from '../../../core/contracts/shell.ts';
import { lookIntoFolder, shell } from '../../api/shell.ts';
import { chosenFiles, takeDropped, type FoundFile } from './droppedFiles.ts';

/** An attribute that every browser has and React's types do not. */
const WHOLE_FOLDER = { webkitdirectory: '' };

/** Takes files and whole folders, dropped or chosen. */
export function DropZone(props: {
  found: (files: Promise<FoundFile[]>) => void;
  tell: (found: number) => void;
}) {
  const { t } = useTranslation();
  const { found, tell } = props;
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const chosen = (list: FileList | null) => {
    if (list !== null && list.length > 0) found(Promise.resolve(chosenFiles(list)));
  };
  const chooseOutside = async (around: ShellBridge<File>) => {
    const offer = await around.chooseFolder();
    if (offer !== null) found(lookIntoFolder(offer));
  };
  return (
    <DropTarget take={(data) => found(takeDropped(data, tell))}>
      <IconUpload size={36} stroke={1.3} aria-hidden />
      <p className="drop-title">{t('enrol.drop')}</p>
      <p className="soft">{t('enrol.dropHelp')}</p>
      <div className="row">
        <Button
          leftSection={<IconFolderPlus size={16} aria-hidden />}
          onClick={() => {
            const around = shell();
            if (around === undefined) folder.current?.click();
            else void chooseOutside(around);
          }}
        >
          {t('enrol.chooseFolder')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPhotoPlus size={16} aria-hidden />}
          onClick={() => files.current?.click()}
        >
          {t('enrol.chooseFiles')}
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept="image/jpeg,image/png"
        aria-label={t('enrol.chooseFiles')}
        onChange={(event) => chosen(event.currentTarget.files)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        {...WHOLE_FOLDER}
        aria-label={t('enrol.chooseFolder')}
        onChange={(event) => chosen(event.currentTarget.files)}
      />
    </DropTarget>
  );
}
