import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { ErrorState } from './states.tsx';

/** A list, and beside it what the address opens; null: nothing is open. */
export function Split({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return (
    <div className={beside === null ? 'split' : 'split with-panel'}>
      <div className="split-main">{children}</div>
      {beside}
    </div>
  );
}

/** Beside a list, when the address names something that is not (any more) in it. */
export function NothingHere() {
  return (
    <aside className="panel">
      <ErrorState error={new ApiError(404, '')} />
    </aside>
  );
}
