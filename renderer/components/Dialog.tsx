import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import './dialog.css';

/**
 * A dialog over the screen: only for what cannot be undone, for secrets that are shown once, and for the keys.
 * The browser's own: it has the focus before the next key arrives, so that nothing typed ahead goes elsewhere. A focus
 * that follows in a timer takes the cursor out of the field in which somebody is typing already.
 * `data-autofocus` marks where to begin; otherwise it is the first that takes the focus.
 */
export function Dialog(props: { title: string; close: () => void; wide?: boolean; children: ReactNode }) {
  const { title, close, wide, children } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const box = useRef<HTMLDialogElement>(null);
  /** Shut by us: because it goes, or because the desk is locked, after which it opens again. */
  const shown = useRef(false);
  const pressedBeside = useRef(false);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog === null) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
    shown.current = true;
    return () => {
      shown.current = false;
      // Gives the focus back to where it was.
      dialog.close();
    };
  }, []);
  return createPortal(
    <dialog
      ref={box}
      className={wide === true ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Choosing a file and leaving it is also called "cancel".
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={(event) => {
        if (event.target === event.currentTarget && shown.current) close();
      }}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (pressedBeside.current && event.target === event.currentTarget) close();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId} className="dialog-title">
          {title}
        </h2>
        <CloseButton aria-label={t('common.close')} onClick={close} />
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>,
    document.body,
  );
}
