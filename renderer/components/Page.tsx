import { useEffect, type ReactNode } from 'react';

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
