import { useEffect, type ReactNode, useRef, Fragment, useLayoutEffect, useState, use } from 'react';
import { CloseButton, Button, type ButtonProps } from '@mantine/core';
import {
  IconAlertCircle,
  IconLock,
  IconPlugConnectedX,
  IconQuestionMark,
  type Icon,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useLocation, type To } from 'react-router';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import { menuFor, placeOf, refusedScreen, tabsAt } from '../state/navigation.ts';
import { useKeys } from '../state/keys.ts';
import { ApiError, UnexpectedResponse, NetworkError } from '../api/client.ts';
import { SignedIn } from '../api/session.ts';
import { useWords } from '../i18n/words.tsx';
import './parts.css';

export interface PageProps {
  title: string;
  state?: ReactNode;
  /** The state counts what goes on: it changes too often to be read out. */
  counts?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/**
 * A screen: its title, one sentence of state, one primary action, and the work. The tabs of its menu entry stand for the
 * title; a page inside a tab has a title of its own instead, and an action that leads back.
 */
export function Page({ title, state, counts, action, children }: PageProps) {
  const tabs = useTabs(title);
  useTitle(title);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 className={tabs === null ? undefined : 'sr-only'}>{title}</h1>
          {tabs}
          <p className="soft" aria-live={counts === true ? 'off' : 'polite'}>
            {state}
          </p>
        </div>
        <div className="page-action">{action}</div>
      </header>
      <div className="page-body">{children}</div>
    </div>
  );
}

/** Names the page in its tab and its window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Vouch`;
  }, [title]);
}

/** @returns the tabs of the menu entry that is open; null: it has one tab, or the page has a title of its own */
function useTabs(title: string): ReactNode {
  const { t } = useWords();
  const session = use(SignedIn);
  const { pathname } = useLocation();
  const here = placeOf(pathname)?.word;
  const tabs = session === null ? [] : tabsAt(menuFor(session), pathname);
  if (tabs.length < 2 || !tabs.some(({ word }) => word === here && t(`nav.${word}`) === title)) return null;
  return (
    <nav className="subnav" aria-label={t('nav.tabs')}>
      {tabs.map(({ path, word }) => (
        <Link key={path} to={path} aria-current={word === here ? 'page' : undefined}>
          {t(`nav.${word}`)}
        </Link>
      ))}
    </nav>
  );
}

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
  children: ReactNode;
}) {
  const { title, label, picture, note, mark, close, parts, children } = props;
  const { t } = useWords();
  const panel = useRef<HTMLElement>(null);
  useKeys([{ keys: ['Escape'], label: t('common.close'), run: close }]);
  // It is read when it opens. The first field of a form has taken the focus before.
  useEffect(() => {
    if (panel.current?.contains(document.activeElement) !== true)
      panel.current?.focus({ preventScroll: true });
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

/**
 * A list with a panel beside it; null: no panel is open.
 * @param props.whole the panel takes the place of the list, because its content needs the width
 */
export function Split(props: { beside: ReactNode; whole?: boolean | undefined; children: ReactNode }) {
  const { beside, whole = false, children } = props;
  const classes = ['split', beside === null ? '' : 'with-panel', whole ? 'split-whole' : ''];
  return (
    <div className={classes.join(' ').trim()}>
      <div className="split-main">{children}</div>
      {beside}
    </div>
  );
}

interface Beside<Row> {
  /** Undefined: the list is loading. */
  rows: readonly Row[] | undefined;
  /** The entry that the address names; undefined: the list has none. */
  opened: Row | undefined;
  panel: (opened: Row) => ReactNode;
  /** Panels of names that are not entries, such as `new`. */
  others?: Readonly<Record<string, ReactNode>> | undefined;
}

/** @param named what the address names beside its list; undefined: nothing @returns its panel; null: no panel is open */
export function panelOf<Row>(
  named: string | undefined,
  { rows, opened, panel, others = {} }: Beside<Row>,
): ReactNode {
  if (named === undefined) return null;
  if (Object.hasOwn(others, named)) return others[named];
  if (rows === undefined) return null;
  return opened === undefined ? <NothingHere /> : <Fragment key={named}>{panel(opened)}</Fragment>;
}

/** The panel of an address that names an entry the list does not have. */
export function NothingHere() {
  return (
    <aside className="panel">
      <ErrorState error={new ApiError(404, '')} />
    </aside>
  );
}

/** A table of data that may be wider than its place: then it scrolls by itself, by the keyboard too. */
export function WideTable(props: {
  label: string;
  /** It is all that its surroundings scroll for, and nothing in it takes the focus: so it does, however wide. */
  alone?: boolean;
  /** The names of the columns; null: a column without a name. */
  head: readonly (string | null)[];
  className?: string;
  /** The rows, or bodies of rows. */
  children: ReactNode;
  bodies?: boolean;
}) {
  const { label, alone, head, className = 'table', children, bodies = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = () => setWide(element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    for (const each of [element, ...element.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={place}
      className="wide-table"
      {...(wide || alone === true ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
    >
      <table className={className}>
        <thead>
          <tr>
            {head.map((name) =>
              name === null ? (
                <td key="none" />
              ) : (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        {bodies ? children : <tbody>{children}</tbody>}
      </table>
    </div>
  );
}

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
  const { t } = useWords();
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
  const { t } = useWords();
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
  const { t } = useWords();
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

export interface ActionProps extends Omit<ButtonProps, 'leftSection'> {
  label: ReactNode;
  Icon?: Icon | undefined;
  /** The icon points in the direction of reading. */
  mirrored?: boolean;
  /** The first action of its place: the filled button. */
  primary?: boolean;
  /** The address of a screen that it opens. Roles without that screen do not get the button. */
  to?: To;
  type?: 'submit';
  title?: string;
  /** Shown only to roles with this permission. */
  may?: Permission;
  onClick?: (() => void) | undefined;
  /** A click runs it. It cannot be clicked while it runs, nor while the passphrase that it needs is missing. */
  work?: { mutate: () => void; isPending: boolean; incomplete?: boolean };
  autoFocus?: boolean;
  'data-autofocus'?: boolean | undefined;
  'aria-pressed'?: boolean;
}

/** A button with its icon and words; with an address, a link in the shape of one. */
export function Action({
  label,
  Icon,
  mirrored = false,
  primary = false,
  to,
  work,
  may,
  ...props
}: ActionProps) {
  const session = use(SignedIn);
  const leads = typeof to === 'string' ? to : to?.pathname;
  const permissions = session?.permissions ?? [];
  if (may !== undefined && !permissions.includes(may)) return null;
  if (leads !== undefined && refusedScreen(leads, permissions) !== undefined) return null;
  const button = {
    variant: primary ? 'filled' : 'default',
    leftSection: Icon && (
      <Icon
        size={props.size === undefined ? 16 : 15}
        className={mirrored ? 'mirrored' : undefined}
        aria-hidden
      />
    ),
    ...(work && { loading: work.isPending, onClick: () => work.mutate() }),
    ...props,
    disabled: props.disabled === true || work?.incomplete === true,
  };
  if (to === undefined) return <Button {...button}>{label}</Button>;
  const { type: _, ...link } = button;
  return (
    <Button component={Link} to={to} {...link}>
      {label}
    </Button>
  );
}
