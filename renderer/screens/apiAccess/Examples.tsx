import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { OneOf } from '../../components/OneOf.tsx';
import { EXAMPLE_LANGUAGES, exampleOf, type ExampleLanguage } from './examples.ts';

/** Programs to paste, with the address that this page came from. */
export function Examples({ credential }: { credential: CredentialRow }) {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<ExampleLanguage>('curl');
  const text = exampleOf(language, window.location.origin, credential);
  return (
    <section className="column">
      <div>
        <h3>{t('apiAccess.examples')}</h3>
        <p className="soft">
          {t('apiAccess.examplesHelp')} {credential.kind === 'key' ? t('apiAccess.examplesKey') : null}
        </p>
      </div>
      <div className="row">
        <OneOf
          size="xs"
          aria-label={t('apiAccess.examples')}
          data={[...EXAMPLE_LANGUAGES]}
          value={language}
          onChange={(chosen) => setLanguage(chosen)}
        />
        <span className="push">
          <CopyText value={text} small />
        </span>
      </div>
      <pre className="mono ltr example" tabIndex={0} aria-label={language}>
        {text}
      </pre>
    </section>
  );
}
