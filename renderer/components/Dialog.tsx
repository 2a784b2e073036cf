import type { ReactNode } from 'react';
import { CloseButton, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import './dialog.css';

/**
 * A dialog over the screen: only for what cannot be undone, for secrets that are shown once, and for the keys.
 * It does not lock the scroll: that adds a style element, which the page's policy refuses, and the body is still anyway.
 */
export function Dialog(props: { title: string; close: () => void; wide?: boolean; children: ReactNode }) {
  const { title, close, wide, children } = props;
  const { t } = useTranslation();
  return (
    <Modal.Root opened onClose={close} lockScroll={false} centered size={wide === true ? 720 : 480}>
      <Modal.Overlay className="dialog-veil" />
      <Modal.Content className="dialog">
        <div className="dialog-head">
          <Modal.Title className="dialog-title">{title}</Modal.Title>
          <CloseButton aria-label={t('common.close')} onClick={close} />
        </div>
        <div className="dialog-body">{children}</div>
      </Modal.Content>
    </Modal.Root>
  );
}
