import {
  type ComponentProps,
  useState,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { PasswordInput, type PasswordInputProps, TextInput, CloseButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useBlocker } from 'react-router';
import { createPortal } from 'react-dom';
import type { TFunction } from 'i18next';
import { MIN_PASSPHRASE, passphraseProblems } from '../../core/contracts/dashboard/session.ts';
import { Action, type ActionProps, ErrorLine } from './Page.tsx';
import { ApiError } from '../api/client.ts';
import { confirmSession } from '../api/session.ts';
import { undoStore } from '../state/undo.ts';
import { useWords } from '../i18n/words.tsx';
import './parts.css';

/**
 * A form that the page sends by itself. Without this, the browser would send it and load the page again. The first field
 * that was found wrong then has the focus, which reads its error.
 */
export function Form({ send, ...props }: Omit<ComponentProps<'form'>, 'onSubmit'> & { send: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef(false);
  useEffect(() => {
    const wrong = sent.current ? form.current?.querySelector<HTMLElement>('[aria-invalid=true]') : null;
    if (wrong == null) return;
    sent.current = false;
    wrong.focus();
  });
  return (
    <form
      {...props}
      ref={form}
      onInput={() => {
        sent.current = false;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        sent.current = true;
        send();
      }}
    />
  );
}

interface SubmitProps extends Omit<ActionProps, 'work' | 'primary' | 'type'> {
  work: { isPending: boolean; error: Error | null; incomplete?: boolean; field?: ReactNode };
  /** The error to show instead of that of the work. */
  error?: Error | null;
  /** Of a dialog: closes it. */
  cancel?: (() => void) | undefined;
  /** The focus begins on Cancel. */
  safe?: boolean | undefined;
  /** The button stands where the fields begin. */
  start?: boolean;
  /** Buttons before it. */
  children?: ReactNode;
}

/** The end of a form: the passphrase field where the service asks for it, the error, and the button that sends the form. */
export function Submit({ work, error, cancel, safe, start = false, children, ...action }: SubmitProps) {
  const { t } = useWords();
  return (
    <>
      {work.field}
      <ErrorLine error={error === undefined ? work.error : error} />
      <div className="row">
        {cancel && (
          <Action className="push" label={t('common.cancel')} data-autofocus={safe} onClick={cancel} />
        )}
        {children}
        <Action
          primary
          type="submit"
          className={start || cancel ? undefined : 'push'}
          {...action}
          loading={work.isPending}
          disabled={action.disabled === true || work.incomplete === true}
        />
      </div>
    </>
  );
}

/**
 * A field for a passphrase. The library names the button in it in English, leaves it out of the Tab order, and does not
 * mark the field as wrong.
 */
export function PassphraseInput(props: PasswordInputProps) {
  const { t } = useWords();
  return (
    <PasswordInput
      {...props}
      aria-invalid={Boolean(props.error)}
      visibilityToggleButtonProps={{ 'aria-label': t('passphrase.toggle'), tabIndex: 0 }}
    />
  );
}

/**
 * The service has one text for every wrong credential. At a form the operator needs to know which field to check.
 * @param wrong the sentence that names the fields
 */
export function signInError(error: Error | null, t: TFunction, wrong: string): Error | null {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 401) return new ApiError(401, wrong);
  if (error.status === 429) return new ApiError(429, t('signIn.tooMany'));
  return error;
}

interface Guarded<T> {
  mutate: (...input: undefined extends T ? [input?: T] : [input: T]) => void;
  /** Removes the passphrase field and the error. */
  giveUp: () => void;
  isPending: boolean;
  /** The error to show beside the control. A request for the passphrase is not an error. */
  error: Error | null;
  /** The passphrase is asked for and still empty. */
  incomplete: boolean;
  /** The passphrase field, once the service has asked for it; else null. */
  field: ReactNode;
}

/**
 * Runs an action that the service refuses on an unattended session. When the service asks for the passphrase, the field
 * appears, and the next start confirms the passphrase first.
 * @param reason the reason that the field states: exports have a longer time than other protected actions
 */
export function useReauthentication<T, R>(
  run: (input: T) => Promise<R>,
  done?: (result: R, input: T) => unknown,
  reason: 'export' | 'protected' = 'protected',
): Guarded<T> {
  const { t } = useWords();
  const [asked, setAsked] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const work = useMutation({
    mutationFn: async (input: T) => {
      if (passphrase !== '') await confirmSession(passphrase);
      return run(input);
    },
    onSuccess: async (result, input) => {
      setAsked(false);
      setPassphrase('');
      await done?.(result, input);
    },
  });
  const { error } = work;
  if (!asked && error instanceof ApiError && error.code === 'REAUTHENTICATE') setAsked(true);
  return {
    mutate: (...[input]) => work.mutate(input as T),
    giveUp: () => {
      setAsked(false);
      setPassphrase('');
      work.reset();
    },
    isPending: work.isPending,
    error: asked && passphrase === '' ? null : error,
    incomplete: asked && passphrase === '',
    field: asked ? (
      <PassphraseInput
        autoFocus
        label={t('signIn.passphrase')}
        description={t(reason === 'export' ? 'common.passphraseExport' : 'common.passphraseAgain')}
        autoComplete="current-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
    ) : null,
  };
}

/** The rules of a passphrase, by the code of the problem that breaks each. */
const RULES = ['PASSPHRASE_TOO_SHORT', 'PASSPHRASE_IS_NAME', 'PASSPHRASE_GUESSED'] as const;
/** A passphrase of this many characters that meets the rules is called strong. */
const STRONG = 20;

interface NewPassphrase {
  value: string;
  /** Both fields, with the rules and the strength of what is typed. */
  fields: ReactNode;
  /** Shows what is missing in the fields. @returns whether the passphrase can be sent */
  check: () => boolean;
}

/**
 * The two fields of a new passphrase. They check it by the same rules as the service, before it is sent.
 * @param names of the operator and the company, which a passphrase must not consist of
 * @param label of the first field
 */
export function useNewPassphrase(names: readonly string[], label: string): NewPassphrase {
  const { t } = useWords();
  const [value, setValue] = useState('');
  const [repeat, setRepeat] = useState('');
  const [tried, setTried] = useState(false);
  const broken = new Set<string>(passphraseProblems(value, names.filter(Boolean)).map(({ code }) => code));
  const accepted = value !== '' && broken.size === 0;
  const differs = repeat !== value && (tried || repeat !== '');
  return {
    value,
    check: () => {
      setTried(true);
      return accepted && repeat === value;
    },
    fields: (
      <>
        <PassphraseInput
          label={label}
          description={t('passphrase.hint')}
          autoComplete="new-password"
          maxLength={1024}
          error={tried && !accepted ? t('passphrase.rejected') : null}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <ul className="passphrase-rules">
          {RULES.map((rule) => {
            const met = value !== '' && !broken.has(rule);
            return (
              <li key={rule} className={met ? 'met' : undefined}>
                {met ? (
                  <IconCircleCheck size={16} aria-label={t('passphrase.met')} />
                ) : (
                  <IconCircle size={16} aria-label={t('passphrase.unmet')} />
                )}
                {t(`passphrase.${rule}`, { least: MIN_PASSPHRASE })}
              </li>
            );
          })}
        </ul>
        <p role="status" className="passphrase-rules">
          {value === ''
            ? null
            : t(`passphrase.${accepted ? (Array.from(value).length >= STRONG ? 'strong' : 'good') : 'weak'}`)}
        </p>
        <PassphraseInput
          label={t('setup.repeat')}
          autoComplete="new-password"
          maxLength={1024}
          error={differs ? t('setup.differs') : null}
          value={repeat}
          onChange={(event) => setRepeat(event.currentTarget.value)}
        />
      </>
    ),
  };
}

/** Asks for the name of what will be gone for good. `children` say what goes with it: counts and names. */
export function ConfirmByTyping(props: {
  title: string;
  name: string;
  action: string;
  run: () => Promise<unknown>;
  /** The result as a sentence, where it says more than that the action was done. */
  done?: string;
  close: () => void;
  children: ReactNode;
}) {
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  const work = useReauthentication(
    () => props.run(),
    () => {
      const { action, name, done = t('common.doneTo', { action, name }) } = props;
      undoStore.getState().notify(done);
      props.close();
    },
  );
  return (
    <FormDialog
      title={props.title}
      close={props.close}
      send={() => work.mutate()}
      work={work}
      color="red"
      label={props.action}
      disabled={typed.trim() !== props.name}
    >
      <div>{props.children}</div>
      <TextInput
        data-autofocus
        label={t('common.typeToConfirm', { name: props.name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
    </FormDialog>
  );
}

/** A form with a name and more fields; the service's messages stand beside their fields. */
export function NameForm(props: {
  start: string;
  hint: string;
  /** Letters. */
  most: number;
  action: string;
  submit: (name: string) => Promise<unknown>;
  /** More fields, called with the service's messages by field. */
  fields?: (said: Readonly<Record<string, string[]>>) => ReactNode;
  /** Buttons beside the action. */
  children?: ReactNode;
}) {
  const { start, hint, most, action, submit, fields, children } = props;
  const { t } = useWords();
  const [name, setName] = useState(start);
  const work = useMutation({
    mutationFn: () => submit(name.trim()),
    onSuccess: () => undoStore.getState().notify(t('common.saved', { name: name.trim() })),
  });
  const said = work.error instanceof ApiError ? work.error.fields : {};
  return (
    <Form className="column" send={() => work.mutate()}>
      <TextInput
        autoFocus
        required
        label={t('facts.name')}
        description={hint}
        maxLength={most}
        error={said.name?.join(' ')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {fields?.(said)}
      <Submit
        work={work}
        error={Object.keys(said).length > 0 ? null : work.error}
        label={action}
        disabled={name.trim() === ''}
      >
        {children}
      </Submit>
    </Form>
  );
}

/** Asks before the page is left with changes that are saved nowhere; closing the window asks in the browser's words. */
export function LeaveGuard({ active }: { active: boolean }) {
  const { t } = useWords();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={t('flows.leaveTitle')} close={blocker.reset}>
      <div className="column">
        <p>{t('flows.leaveWhat')}</p>
        <div className="row">
          <Action primary className="push" label={t('flows.stay')} data-autofocus onClick={blocker.reset} />
          <Action variant="light" color="red" label={t('common.discardChanges')} onClick={blocker.proceed} />
        </div>
      </div>
    </Dialog>
  );
}

/**
 * A modal dialog: only for actions that cannot be undone, for secrets that are shown once, and for the key help.
 * It is the browser's `<dialog>`, which has the focus before the next key arrives. A dialog that takes the focus in a
 * timer would move the cursor out of a field in which the operator already types.
 * `data-autofocus` marks the first field; without it the first focusable element has the focus.
 */
export function Dialog(props: { title: string; close: () => void; wide?: boolean; children: ReactNode }) {
  const { title, close, wide, children } = props;
  const { t } = useWords();
  const titleId = useId();
  const box = useRef<HTMLDialogElement>(null);
  /** Whether the dialog is open. It is closed on unmount, and while the page is locked. */
  const shown = useRef(false);
  const pressedBeside = useRef(false);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog === null) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
    shown.current = true;
    return () => {
      shown.current = false;
      // Gives the focus back to where it was.
      dialog.close();
    };
  }, []);
  return createPortal(
    <dialog
      ref={box}
      className={wide === true ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Choosing a file and leaving it is also called "cancel".
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={(event) => {
        if (event.target === event.currentTarget && shown.current) close();
      }}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (pressedBeside.current && event.target === event.currentTarget) close();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId} className="dialog-title">
          {title}
        </h2>
        <CloseButton aria-label={t('common.close')} onClick={close} />
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>,
    document.body,
  );
}

interface FormDialogProps extends Omit<SubmitProps, 'cancel' | 'start'> {
  title: string;
  close: () => void;
  send: () => void;
}

/** A dialog that asks for one action: fields or sentences, Cancel, and the button of the action. */
export function FormDialog({ title, close, send, children, ...submit }: FormDialogProps) {
  return (
    <Dialog title={title} close={close}>
      <Form className="column" send={send}>
        {children}
        <Submit {...submit} cancel={close} />
      </Form>
    </Dialog>
  );
}
