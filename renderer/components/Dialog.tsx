import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Action } from './Action.tsx';
import './parts.css';

/**
 * A modal dialog: only for actions that cannot be undone, for secrets that are shown once, and for the key help.
 * It is the browser's `<dialog>`, which has the focus before the next key arrives. A dialog that takes the focus in a
 * timer would move the cursor out of a field in which the operator already types.
 * `data-autofocus` marks the first field; without it the first focusable element has the focus.
 */
export function Dialog(props: { title: string; close: () => void; wide?: boolean; children: ReactNode }) {
  const { title, close, wide, children } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const box = useRef<HTMLDialogElement>(null);
  /** Whether the dialog is open. It is closed on unmount, and while the page is locked. */
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

/** The last row of a dialog: Cancel, then the button of its action. @param props `safe`: the focus begins on Cancel */
export function DialogActions(props: { close: () => void; safe?: boolean; children: ReactNode }) {
  const { close, safe = false, children } = props;
  const { t } = useTranslation();
  return (
    <div className="row">
      <Action
        className="push"
        label={t('common.cancel')}
        data-autofocus={safe ? true : undefined}
        onClick={close}
      />
      {children}
    </div>
  );
}
