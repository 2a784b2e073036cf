import { Anchor, Button, Kbd } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { Dialog } from '../components/Dialog.tsx';
import { keyMap } from '../state/keys.ts';
import { navigationFor } from './navigation.ts';

const SHOWN: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
};

/** A letter as it is printed on its key. A capital one needs Shift. */
function nameOf(key: string): string {
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`;
  return SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** The keys of the screen that is open, those that work everywhere, and the way to its page of the manual. */
export function KeyHelp({ close, showManual }: { close: () => void; showManual: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const layers = keyMap((state) => state.layers);
  const here = layers.toReversed().flatMap(({ bindings }) => bindings);
  return (
    <Dialog close={close} title={t('keys.title')} wide>
      <div className="key-columns">
        {here.length === 0 ? null : (
          <section>
            <h3>{t('keys.here')}</h3>
            <dl>
              {here.map(({ keys, label, shown }) => (
                <KeyRow key={`${label}${keys.join()}`} keys={shown ?? keys} label={label} />
              ))}
            </dl>
          </section>
        )}
        <section>
          <h3>{t('keys.everywhere')}</h3>
          <dl>
            <KeyRow keys={['Ctrl K']} label={t('keys.palette')} />
            <KeyRow keys={['Ctrl Z']} label={t('keys.undo')} />
            <KeyRow keys={['?']} label={t('keys.thisHelp')} />
          </dl>
          <h3>
            {t('keys.goTo')} <Kbd>G</Kbd> {t('keys.then')}
          </h3>
          <dl className="key-places">
            {navigationFor(session).map(({ key, word }) =>
              key === undefined ? null : <KeyRow key={key} keys={[key]} label={t(`nav.${word}`)} />,
            )}
          </dl>
          <p className="row wrap key-manual">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconHelp size={16} aria-hidden />}
              onClick={showManual}
            >
              {t('keys.manual')}
            </Button>
            <Anchor href="/manual/glossary.html" target="_blank" rel="noreferrer">
              {t('keys.glossary')}
            </Anchor>
          </p>
        </section>
      </div>
    </Dialog>
  );
}

function KeyRow({ keys, label }: { keys: readonly string[]; label: string }) {
  return (
    <div className="key-row">
      <dt>{label}</dt>
      <dd>
        {keys.map((key) => (
          <Kbd key={key}>{nameOf(key)}</Kbd>
        ))}
      </dd>
    </div>
  );
}
