import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFileChooser } from '../../components/useFileChooser.tsx';

/** Begins a measurement with the labelled files of a folder. */
export function ChooseFolder<Labelled>(props: {
  labelled: (files: readonly File[]) => readonly Labelled[];
  start: (files: readonly Labelled[]) => Promise<void>;
  /** Message for a folder without labelled files. */
  none: string;
}) {
  const { labelled, start, none } = props;
  const { t } = useTranslation();
  const [empty, setEmpty] = useState(false);
  const { chooser, open } = useFileChooser({
    label: t('calibration.choose'),
    multiple: true,
    folder: true,
    take: (files) => {
      const found = labelled(files);
      setEmpty(found.length === 0);
      if (found.length > 0) void start(found);
    },
  });
  return (
    <>
      <div className="row">
        <Button leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={open}>
          {t('calibration.choose')}
        </Button>
        {chooser}
      </div>
      {empty ? (
        <p className="error-line" role="alert">
          {none}
        </p>
      ) : null}
    </>
  );
}
