import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { api } from '../../client/api.ts';
import { passwordAnswered, session, signedIn, signedOut } from '../../client/session.ts';

/** In place of every page while no person is signed in. */
export function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in · Carillon';
  }, []);
  return (
    <main className="sign-in">
      <SignInForm>
        <h1>
          <img src="/console/bell.svg" alt="" width="32" height="32" /> Carillon
        </h1>
      </SignInForm>
      <p className="dim">
        <Trans>
          No account yet? Open the link of your invitation, or the set-up link that the first start printed.
        </Trans>
      </p>
    </main>
  );
}

/** Over a page whose session has ended: what was typed there stays. */
export function SignInAgain() {
  const { t } = useLingui();
  return (
    <Over
      title={t`Your session has ended`}
      text={t`Sign in again. The page behind keeps everything that you have typed.`}
      leaveText={t`Leave the page instead`}
      leave={signedOut}
    />
  );
}

/** Over a page on which a person does what needs her password once more; it is done as soon as she has entered it. */
export function PasswordAgain() {
  const { t } = useLingui();
  return (
    <Over
      title={t`Enter your password again`}
      text={t`You signed in more than 5 minutes ago, and this change needs your password. It is made when you have entered it.`}
      leaveText={t`Cancel`}
      leave={() => passwordAnswered(false)}
    />
  );
}

function Over(props: {
  readonly title: string;
  readonly text: string;
  /** Label of the button that leaves. */
  readonly leaveText: string;
  readonly leave: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="sign-in"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
    >
      <SignInForm email={session.value?.person.email}>
        <h2 id="sign-in-again">{props.title}</h2>
        <p>{props.text}</p>
      </SignInForm>
      <button type="button" className="plain" onClick={props.leave}>
        {props.leaveText}
      </button>
    </dialog>
  );
}

function SignInForm({
  email,
  children,
}: {
  readonly email?: string | undefined;
  readonly children: ReactNode;
}) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');
  /** The password was right, and the account has a second factor. */
  const [needsCode, setNeedsCode] = useState(false);

  const signIn = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setBusy(true);
    setRefused('');
    const answer = await api.call('postSession', {
      body: {
        email: String(given.get('email')),
        password: String(given.get('password')),
        ...(needsCode && { code: String(given.get('code')) }),
      },
    });
    setBusy(false);
    if (answer.ok) signedIn(answer.value);
    else if (answer.error.code === 'secondFactorRequired') setNeedsCode(true);
    else setRefused(answer.error.reason);
  };

  return (
    <form onSubmit={(event) => void signIn(event)}>
      {children}
      <label>
        <Trans>E-mail address</Trans>
        <input
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          // biome-ignore lint/a11y/noAutofocus: the page is this form and nothing else
          autoFocus={email === undefined}
        />
      </label>
      <label>
        <Trans>Password</Trans>
        <input
          name="password"
          type="password"
          autoComplete="current-password"
          required
          // biome-ignore lint/a11y/noAutofocus: the name of the person stands above
          autoFocus={email !== undefined}
        />
      </label>
      {needsCode && (
        <label>
          <Trans>Code of your authenticator, or a recovery code</Trans>
          <input
            name="code"
            autoComplete="one-time-code"
            required
            maxLength={64}
            // The attribute acts on the first load of a page alone.
            ref={(field) => field?.focus()}
          />
        </label>
      )}
      <button type="submit" disabled={busy}>
        {busy ? t`One moment…` : t`Sign in`}
      </button>
      <p className="refused" role="alert">
        {refused}
      </p>
    </form>
  );
}
