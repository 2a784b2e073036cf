import type { ReactNode } from 'react';
import { Refusal } from '../api/client.ts';
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
      <ErrorState error={new Refusal(404, '')} />
    </aside>
  );
}
