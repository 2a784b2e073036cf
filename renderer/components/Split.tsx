import { Fragment, type ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { ErrorState } from './states.tsx';

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
