import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from './CopyText.tsx';

/** A secret that is never shown again: copy it, say that it is stored, go on. */
export function ShownOnce({ value, proceed, label }: { value: string; proceed: () => void; label: string }) {
  const { t } = useTranslation();
  const [stored, setStored] = useState(false);
  return (
    <div className="column">
      <div className="row">
        <code className="mono ltr secret">{value}</code>
        <CopyText value={value} />
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
