import type { ComponentProps } from 'react';

/** A form that the page sends by itself. Without this, the browser would send it and load the page again. */
export function Form({ send, ...props }: Omit<ComponentProps<'form'>, 'onSubmit'> & { send: () => void }) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    />
  );
}
