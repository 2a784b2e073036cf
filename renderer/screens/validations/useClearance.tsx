import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { useFormats } from '../../i18n/format.ts';
import { validationName } from './validationName.ts';

/** The strong blacklist hits that a decision would clear: those alone need a confirmation. */
export function clearedHits({ blacklists }: ValidationDetail, decision: Decision) {
  return decision === 'verify' ? blacklists.filter(({ reading }) => reading.band === 'strong') : [];
}

/**
 * Asks for a confirmation before a person is cleared who strongly resembles a face of a blacklist. All other decisions
 * run at once: they can be undone.
 * @returns `ask` runs the decision now or after the confirmation, and answers whether it asked first
 */
export function useClearance(
  detail: ValidationDetail,
  run: (decision: Decision) => void,
): { ask: (decision: Decision) => boolean; dialog: ReactNode } {
  const { t } = useTranslation();
  const { decimal } = useFormats();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return {
    ask: (decision) => {
      const first = clearedHits(detail, decision).length > 0;
      if (first) setAsking(true);
      else run(decision);
      return first;
    },
    dialog: asking ? (
      <Dialog title={t('decision.clearTitle')} close={close}>
        <div className="column">
          {clearedHits(detail, 'verify').map(
            ({ blacklistFaceUploadId, blacklistName, fullName, reading }) => (
              <p key={blacklistFaceUploadId}>
                {t('decision.clearHit', {
                  name: validationName(t, detail),
                  face: fullName,
                  list: blacklistName,
                  score: decimal(reading.score),
                })}
              </p>
            ),
          )}
          <p className="soft">{t('decision.clearMeaning')}</p>
          <div className="row push">
            <Button variant="default" data-autofocus onClick={close}>
              {t('common.cancel')}
            </Button>
            <Button
              color="green"
              onClick={() => {
                close();
                run('verify');
              }}
            >
              {t('decision.differentPerson')}
            </Button>
          </div>
        </div>
      </Dialog>
    ) : null,
  };
}
