import { use, type ReactNode } from 'react';
import { Button, type ButtonProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { Link, type To } from 'react-router';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import { SignedIn } from '../api/session.ts';

export interface ActionProps extends Omit<ButtonProps, 'leftSection'> {
  label: ReactNode;
  Icon?: Icon | undefined;
  /** The icon points in the direction of reading. */
  mirrored?: boolean;
  /** The first action of its place: the filled button. */
  primary?: boolean;
  /** The address of a screen that it opens. */
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
  if (may !== undefined && session?.permissions.includes(may) !== true) return null;
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
