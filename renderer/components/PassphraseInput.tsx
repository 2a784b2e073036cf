import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A field for a passphrase. The button in it has a name in the language of the page; the library's own is English. */
export function PassphraseInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': t('passphrase.toggle') }} />;
}
