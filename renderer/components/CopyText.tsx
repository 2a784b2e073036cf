import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Copies a text, and says that it did. */
export function CopyText({ value, small = false }: { value: string; small?: boolean }) {
  const { t } = useTranslation();
  const size = small ? 14 : 16;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size={small ? 'compact-sm' : 'sm'}
          variant="default"
          leftSection={copied ? <IconCheck size={size} aria-hidden /> : <IconCopy size={size} aria-hidden />}
          onClick={copy}
        >
          {t(copied ? 'common.copied' : 'common.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
