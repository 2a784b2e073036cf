import { useState, type ReactNode } from 'react';
import { PassphraseInput } from './PassphraseInput.tsx';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MIN_PASSPHRASE } from '../../core/contracts/dashboard/session.ts';
import { passphraseProblems } from '../../core/contracts/passphrase.ts';
import './parts.css';

/** The rules of a passphrase, by the code of the problem that breaks each. */
const RULES = ['PASSPHRASE_TOO_SHORT', 'PASSPHRASE_IS_NAME', 'PASSPHRASE_GUESSED'] as const;
/** A passphrase of this many characters that meets the rules is called strong. */
const STRONG = 20;

interface NewPassphrase {
  value: string;
  /** Both fields, with the rules and the strength of what is typed. */
  fields: ReactNode;
  /** Shows what is missing in the fields. @returns whether the passphrase can be sent */
  check: () => boolean;
}

/**
 * The two fields of a new passphrase. They check it by the same rules as the service, before it is sent.
 * @param names of the operator and the company, which a passphrase must not consist of
 * @param label of the first field
 */
export function useNewPassphrase(names: readonly string[], label: string): NewPassphrase {
  const { t } = useTranslation();
  const [value, setValue] = useState('');
  const [repeat, setRepeat] = useState('');
  const [tried, setTried] = useState(false);
  const broken = new Set<string>(passphraseProblems(value, names.filter(Boolean)).map(({ code }) => code));
  const accepted = value !== '' && broken.size === 0;
  const differs = repeat !== value && (tried || repeat !== '');
  return {
    value,
    check: () => {
      setTried(true);
      return accepted && repeat === value;
    },
    fields: (
      <>
        <PassphraseInput
          withAsterisk={false}
          label={label}
          description={t('passphrase.hint')}
          autoComplete="new-password"
          maxLength={1024}
          error={tried && !accepted ? t('passphrase.rejected') : null}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <ul className="passphrase-rules">
          {RULES.map((rule) => {
            const met = value !== '' && !broken.has(rule);
            return (
              <li key={rule} className={met ? 'met' : undefined}>
                {met ? (
                  <IconCircleCheck size={16} aria-label={t('passphrase.met')} />
                ) : (
                  <IconCircle size={16} aria-label={t('passphrase.unmet')} />
                )}
                {t(`passphrase.${rule}`, { least: MIN_PASSPHRASE })}
              </li>
            );
          })}
        </ul>
        <p role="status" className="passphrase-rules">
          {value === ''
            ? null
            : t(`passphrase.${accepted ? (Array.from(value).length >= STRONG ? 'strong' : 'good') : 'weak'}`)}
        </p>
        <PassphraseInput
          withAsterisk={false}
          label={t('setup.repeat')}
          autoComplete="new-password"
          maxLength={1024}
          error={differs ? t('setup.differs') : null}
          value={repeat}
          onChange={(event) => setRepeat(event.currentTarget.value)}
        />
      </>
    ),
  };
}
