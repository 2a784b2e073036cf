import { useEffect, useState } from 'react';
import { Button, CloseButton } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { UNDO_TIME, undoStore, type Undoable } from '../state/undo.ts';
import { ErrorLine } from './states.tsx';
import './parts.css';
import { errorOf } from '../../core/contracts/errors/problem.ts';

/** Offers undo of the last action for ten seconds. The time stops while the pointer or the focus is on the bar. */
export function UndoBar() {
  const last = undoStore((state) => state.last);
  return <div role="status">{last === null ? null : <Offer key={last.id} offer={last} />}</div>;
}

function Offer({ offer }: { offer: Undoable }) {
  const { t } = useTranslation();
  const [left, setLeft] = useState(UNDO_TIME / 1000);
  const [held, setHeld] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (held || error !== null) return;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, [held, error]);
  useEffect(() => {
    if (left <= 0) undoStore.getState().forget(offer.id);
  }, [left, offer.id]);
  const takeBack = () => {
    undoStore
      .getState()
      .undoLast()
      .catch((cause: unknown) => setError(errorOf(cause)));
  };
  return (
    <div
      className="undo"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{offer.text ?? t('common.undoNothing')}</span>
      <ErrorLine error={error} />
      {offer.undo === null ? null : (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            onClick={takeBack}
          >
            {t('common.undo')}
          </Button>
          <span className="undo-left soft" aria-hidden>
            {t('common.undoSeconds', { seconds: Math.max(0, left) })}
          </span>
        </>
      )}
      <CloseButton
        size="sm"
        aria-label={t('common.dismiss')}
        onClick={() => undoStore.getState().forget(offer.id)}
      />
    </div>
  );
}
