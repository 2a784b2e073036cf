import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SignatureReason } from '../../../core/contracts/signatures.ts';
import { useFormats } from '../../i18n/format.ts';

/** An image that could not be compared, and why. */
export function UnusableImage({ image, reason }: { image: string; reason: SignatureReason }) {
  const { t } = useTranslation();
  const { list } = useFormats();
  return (
    <p className="signature-unusable">
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
      <span>
        <strong>{list([image, t('signatures.unusable')])}:</strong> {t(`signatures.reason.${reason}`)}
      </span>
    </p>
  );
}
