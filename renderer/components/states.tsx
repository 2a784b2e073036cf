import type { ReactNode } from 'react';
import {
  IconAlertCircle,
  IconLock,
  IconPlugConnectedX,
  IconQuestionMark,
  type Icon,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { UseQueryResult } from '@tanstack/react-query';
import { Action } from './Action.tsx';
import { UnexpectedResponse, ApiError, NetworkError } from '../api/client.ts';
import './parts.css';

interface Notice {
  Icon: Icon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

function NoticeBox({ Icon, title, children, action }: Notice) {
  return (
    <div className="notice">
      <Icon size={28} stroke={1.5} aria-hidden />
      <h2>{title}</h2>
      <div className="notice-body">{children}</div>
      {action}
    </div>
  );
}

/** An empty state: what belongs here and the next action. */
export function EmptyState({ help, ...notice }: Omit<Notice, 'children'> & { help: ReactNode }) {
  return <NoticeBox {...notice}>{help}</NoticeBox>;
}

/** The event, its cause, the next step, and the id to quote. */
export function ErrorState({ error, retry }: { error: Error; retry?: () => void }) {
  const { t } = useTranslation();
  const again = retry === undefined ? null : <Action label={t('state.retry')} onClick={retry} />;
  if (error instanceof NetworkError)
    return (
      <div role="alert">
        <NoticeBox Icon={IconPlugConnectedX} title={t('state.offlineTitle')} action={again}>
          {t('state.offlineHelp')}
        </NoticeBox>
      </div>
    );
  const [Icon, title, text] = explain(error, t);
  const request = error instanceof ApiError ? error.requestId : null;
  const fixable = !(error instanceof ApiError) || ![403, 404, 501].includes(error.status);
  return (
    <div role="alert">
      <NoticeBox Icon={Icon} title={title} action={fixable ? again : null}>
        <div>{text}</div>
        {request === null || !fixable ? null : (
          <p className="soft">
            {t('state.quote')} <span className="mono ltr">{request}</span>
          </p>
        )}
      </NoticeBox>
    </div>
  );
}

type Translate = TFunction;

/** Refusals of a role that has the permission: the passphrase is wrong, or must be entered again. */
const ABOUT_PASSPHRASE: ReadonlySet<string | null> = new Set(['PASSPHRASE_WRONG', 'REAUTHENTICATE']);

function explain(error: Error, t: Translate): [Icon, string, ReactNode] {
  if (error instanceof UnexpectedResponse) return [IconAlertCircle, t('state.failed'), t('state.unexpected')];
  if (!(error instanceof ApiError)) return [IconAlertCircle, t('state.failed'), t('state.wentWrong')];
  if (error.status === 403 && !ABOUT_PASSPHRASE.has(error.code))
    return [IconLock, t('state.deniedTitle'), t('state.denied')];
  if (error.status === 404) return [IconQuestionMark, t('state.missingTitle'), t('state.missing')];
  return [IconAlertCircle, t('state.failed'), error.message];
}

/** One line of an error, beside the control that caused it. */
export function ErrorLine({ error }: { error: Error | null }) {
  const { t } = useTranslation();
  if (error === null) return null;
  const text = error instanceof NetworkError ? t('state.offlineHelp') : explain(error, t)[2];
  const request = error instanceof ApiError ? error.requestId : null;
  return (
    <p className="error-line" role="alert">
      <IconAlertCircle size={16} aria-hidden />
      <span>
        {text}
        {request === null ? null : <span className="mono ltr"> {request}</span>}
      </span>
    </p>
  );
}

/** A skeleton of the size of the content, so that nothing moves when the content arrives. */
export function LoadingRows({ rows = 12, height = 36 }: { rows?: number; height?: number }) {
  const { t } = useTranslation();
  return (
    <div className="skeleton" role="status" aria-label={t('state.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row" style={{ height }}>
          <span style={{ width: `${[18, 26, 14, 22][row % 4] ?? 20}%` }} />
          <span style={{ width: '12%' }} />
          <span style={{ width: `${[9, 12, 7][row % 3] ?? 9}%` }} />
        </div>
      ))}
    </div>
  );
}

/** Content that is loading, failed or loaded. Loaded content stays when a later request fails. */
export function Loaded<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** Rows of the skeleton and their height in pixels: those of the content. */
  rows?: number;
  height?: number;
  children: (data: T) => ReactNode;
}) {
  const { query, children, ...skeleton } = props;
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  return <LoadingRows {...skeleton} />;
}
