import { Kbd } from '@mantine/core';
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

/** Letters as they stand on the keys. */
function nameOf(key: string): string {
  const name = SHOWN[key];
  if (name !== undefined) return name;
  return /^[A-Z]$/.test(key) ? `Shift ${key}` : key.toUpperCase().replace('CTRL', 'Ctrl');
}

/** The keys of the screen that is open, and those that work everywhere. */
export function KeyHelp({ close }: { close: () => void }) {
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
            {navigationFor(session).map(({ key, word }) =>
              key === undefined ? null : (
                <KeyRow
                  key={key}
                  keys={['g', key]}
                  between={t('keys.then')}
                  label={t('keys.goTo', { place: t(`nav.${word}`) })}
                />
              ),
            )}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function KeyRow({ keys, label, between }: { keys: readonly string[]; label: string; between?: string }) {
  return (
    <div className="key-row">
      <dt>{label}</dt>
      <dd>
        {keys.map((key, index) => (
          <span key={key} className="row">
            {between !== undefined && index > 0 ? <span className="soft">{between}</span> : null}
            <Kbd>{nameOf(key)}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
