import { useEffect, useRef, type ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../state/keys.ts';

/** The panel beside a list: title, status, content. Escape closes it. */
export function Panel(props: {
  title: string;
  /** The accessible name, where the title loads later or says too little. */
  label?: string;
  /** Before the title. */
  picture?: ReactNode;
  note?: ReactNode;
  mark?: ReactNode;
  close: () => void;
  /** The children have parts of their own that scroll, or that do not. */
  parts?: boolean;
  /** Takes the focus when it opens; a form's first field does that itself. */
  focused?: boolean;
  children: ReactNode;
}) {
  const { title, label, picture, note, mark, close, parts, focused, children } = props;
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  useKeys([{ keys: ['Escape'], label: t('keys.close'), run: close }]);
  useEffect(() => {
    if (focused === true) panel.current?.focus({ preventScroll: true });
  }, [focused]);
  // Without it the focus falls to the document when the panel goes, and the keyboard has lost its row.
  useEffect(() => {
    const list = panel.current?.closest('.split')?.querySelector<HTMLElement>('[role="grid"]');
    return () => {
      if (document.activeElement === document.body) list?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside ref={panel} className="panel" tabIndex={-1} aria-label={label ?? title}>
      <div className="panel-head">
        {picture}
        <div className="cut">
          <h2 dir="auto" className="cut">
            {title}
          </h2>
          {note === undefined ? null : <span className="soft">{note}</span>}
        </div>
        <span className="push row">
          {mark}
          <CloseButton aria-label={t('common.close')} onClick={close} />
        </span>
      </div>
      {parts === true ? children : <div className="panel-body column">{children}</div>}
    </aside>
  );
}
