import { useState } from 'react';
import { Button, Checkbox, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** A secret that is never shown again: copy it, say that it is stored, go on. */
export function ShownOnce({ value, proceed, label }: { value: string; proceed: () => void; label: string }) {
  const { t } = useTranslation();
  const [stored, setStored] = useState(false);
  return (
    <div className="column">
      <div className="row">
        <code className="mono ltr secret">{value}</code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {t(copied ? 'common.copied' : 'common.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
      <Checkbox
        label={t('common.stored')}
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Button disabled={!stored} onClick={proceed}>
        {label}
      </Button>
    </div>
  );
}
