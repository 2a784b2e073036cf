import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { ErrorState } from './states.tsx';

/** A list with a panel beside it; null: no panel is open. */
export function Split({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return (
    <div className={beside === null ? 'split' : 'split with-panel'}>
      <div className="split-main">{children}</div>
      {beside}
    </div>
  );
}

/** The panel of an address that names an entry the list does not have. */
export function NothingHere() {
  return (
    <aside className="panel">
      <ErrorState error={new ApiError(404, '')} />
    </aside>
  );
}
