import type { ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../state/keys.ts';

/** What opens beside a list: its title, how it stands, and its work; Escape closes it. */
export function Panel(props: {
  title: string;
  note?: ReactNode;
  mark?: ReactNode;
  close: () => void;
  children: ReactNode;
}) {
  const { title, note, mark, close, children } = props;
  const { t } = useTranslation();
  useKeys([{ keys: ['Escape'], label: t('keys.close'), run: close }]);
  return (
    <aside className="panel" aria-label={title}>
      <div className="panel-head">
        <div className="cut">
          <h2 className="cut">{title}</h2>
          {note === undefined ? null : <span className="soft">{note}</span>}
        </div>
        <span className="push row">
          {mark}
          <CloseButton aria-label={t('common.close')} onClick={close} />
        </span>
      </div>
      <div className="panel-body column">{children}</div>
    </aside>
  );
}
