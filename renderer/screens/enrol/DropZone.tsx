import { useRef, useState, type DragEvent } from 'react';
import { Button } from '@mantine/core';
import { IconFolderPlus, IconPhotoPlus, IconUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { chosenFiles, entriesOf, walkEntries, type FoundFile } from './droppedFiles.ts';

/** An attribute that every browser has and React's types do not. */
const WHOLE_FOLDER = { webkitdirectory: '' };

/** Takes files and whole folders, dropped or chosen. */
export function DropZone(props: {
  found: (files: Promise<FoundFile[]>) => void;
  tell: (found: number) => void;
}) {
  const { t } = useTranslation();
  const { found, tell } = props;
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    found(walkEntries(entriesOf(event.dataTransfer), tell));
  };
  const chosen = (list: FileList | null) => {
    if (list !== null && list.length > 0) found(Promise.resolve(chosenFiles(list)));
  };
  return (
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={36} stroke={1.3} aria-hidden />
      <p className="drop-title">{t('enrol.drop')}</p>
      <p className="soft">{t('enrol.dropHelp')}</p>
      <div className="row">
        <Button
          leftSection={<IconFolderPlus size={16} aria-hidden />}
          onClick={() => folder.current?.click()}
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
    </div>
  );
}
