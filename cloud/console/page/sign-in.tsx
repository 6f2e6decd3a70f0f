import { useSignal } from '@preact/signals';
import { api } from '../client/api.ts';
import { session } from '../client/session.ts';

export function SignInPage() {
  const busy = useSignal(false);
  const refused = useSignal('');
  /** The password was right, and the account has a second factor. */
  const needsCode = useSignal(false);
  document.title = 'Sign in · Carillon';

  const signIn = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    busy.value = true;
    refused.value = '';
    const answer = await api.call('postSession', {
      body: {
        email: String(given.get('email')),
        password: String(given.get('password')),
        ...(needsCode.value && { code: String(given.get('code')) }),
      },
    });
    busy.value = false;
    if (answer.ok) session.value = answer.value;
    else if (answer.error.code === 'secondFactorRequired') needsCode.value = true;
    else refused.value = answer.error.reason;
  };

  return (
    <main class="sign-in">
      <form onSubmit={(event) => void signIn(event)}>
        <h1>
          <img src="bell.svg" alt="" width="32" height="32" /> Carillon
        </h1>
        <label>
          E-mail address
          <input name="email" type="email" autocomplete="username" required autofocus />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        {needsCode.value && (
          <label>
            Code of your authenticator, or a recovery code
            <input
              name="code"
              autocomplete="one-time-code"
              required
              maxLength={64}
              // The attribute acts on the first load of a page alone.
              ref={(field) => field?.focus()}
            />
          </label>
        )}
        <button type="submit" disabled={busy.value}>
          {busy.value ? 'One moment…' : 'Sign in'}
        </button>
        <p class="refused" role="alert">
          {refused.value}
        </p>
        <p class="dim">
          No account yet? Open the link of your invitation, or the set-up link that the first start printed.
        </p>
      </form>
    </main>
  );
}
