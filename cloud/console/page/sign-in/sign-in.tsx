import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { session } from '../../client/session.ts';

export function SignInPage() {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');
  /** The password was right, and the account has a second factor. */
  const [needsCode, setNeedsCode] = useState(false);
  document.title = 'Sign in · Carillon';

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
    if (answer.ok) session.value = answer.value;
    else if (answer.error.code === 'secondFactorRequired') setNeedsCode(true);
    else setRefused(answer.error.reason);
  };

  return (
    <main className="sign-in">
      <form onSubmit={(event) => void signIn(event)}>
        <h1>
          <img src="bell.svg" alt="" width="32" height="32" /> Carillon
        </h1>
        <label>
          E-mail address
          {/* biome-ignore lint/a11y/noAutofocus: the page is this form and nothing else */}
          <input name="email" type="email" autoComplete="username" required autoFocus />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        {needsCode && (
          <label>
            Code of your authenticator, or a recovery code
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
          {busy ? 'One moment…' : 'Sign in'}
        </button>
        <p className="refused" role="alert">
          {refused}
        </p>
        <p className="dim">
          No account yet? Open the link of your invitation, or the set-up link that the first start printed.
        </p>
      </form>
    </main>
  );
}
