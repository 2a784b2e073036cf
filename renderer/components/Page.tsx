import { useEffect, type ReactNode, useRef, Fragment, useLayoutEffect, useState } from 'react';
import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../state/keys.ts';
import { ApiError } from '../api/client.ts';
import { ErrorState } from './states.tsx';

/** A screen: its title, one sentence of state, one primary action, and the work. */
export function Page(props: { title: string; state?: ReactNode; action?: ReactNode; children: ReactNode }) {
  const { title, state, action, children } = props;
  useEffect(() => {
    document.title = `${title} · Vouch`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          <p className="soft" aria-live="polite">
            {state}
          </p>
        </div>
        <div className="page-action">{action}</div>
      </header>
      <div className="page-body">{children}</div>
    </div>
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

/**
 * A list with a panel beside it; null: no panel is open.
 * @param props.whole the panel takes the place of the list, because its content needs the width
 */
export function Split(props: { beside: ReactNode; whole?: boolean; children: ReactNode }) {
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
