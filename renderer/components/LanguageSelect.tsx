import { Button } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { LANGUAGES, type Language } from '../../core/contracts/dashboard/session.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { usePreferences } from '../state/preferences.ts';

/** The other languages, each by its own name, for who is not signed in yet: this browser remembers the choice. */
export function LanguageSelect() {
  const { language, setLanguage } = usePreferences();
  const others = (Object.keys(LANGUAGES) as Language[]).filter((each) => each !== language);
  return others.map((each) => (
    <Button
      key={each}
      className="push"
      size="compact-sm"
      variant="subtle"
      lang={each}
      leftSection={<IconLanguage size={15} aria-hidden />}
      onClick={() => {
        setLanguage(each);
        void changeLanguage(each);
      }}
    >
      {LANGUAGES[each]}
    </Button>
  ));
}
