import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';

/** Returns to what the product ships, after the name of the company was typed. */
export function ResetCalibration(props: {
  action: string;
  title: string;
  /** Names the data that is deleted. */
  children: ReactNode;
  run: () => Promise<void>;
}) {
  const { action, title, children, run } = props;
  const { company } = useSession();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {action}
      </Button>
      {asking ? (
        <ConfirmByTyping
          title={title}
          name={company.name}
          action={action}
          close={() => setAsking(false)}
          run={run}
        >
          {children}
        </ConfirmByTyping>
      ) : null}
    </>
  );
}
