import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { session } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { QrCode } from '../../component/qr-code.tsx';

interface Begun {
  readonly secret: string;
  readonly uri: string;
}

/** Reads the session again: the rights of the person have changed with the second factor. */
async function readSession(): Promise<void> {
  const known = await api.call('getSession', {});
  if (known.ok) session.value = known.value;
}

/** The second factor of the signed-in person: set up with an authenticator, and removed with a code of it. */
export function SecondFactor() {
  const [begun, setBegun] = useState<Begun | undefined>(undefined);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([]);
  const state = session.value?.secondFactor;
  const kept = (): void => {
    setRecoveryCodes([]);
    setBegun(undefined);
    void readSession();
  };
  if (recoveryCodes.length > 0) return <Recovery codes={recoveryCodes} onKept={kept} />;
  return (
    <section className="second-factor">
      <h2>Your second factor</h2>
      {state?.isSet === true ? (
        <Removal left={state.recoveryCodesLeft ?? 0} />
      ) : begun === undefined ? (
        <>
          <p className="dim">
            The password alone opens your account. With an authenticator on your telephone it takes both.
          </p>
          <Act
            label="Set up an authenticator"
            run={async () => {
              const answer = await api.call('postSessionSecondfactor', {});
              if (answer.ok) setBegun(answer.value);
              return answer;
            }}
          />
        </>
      ) : (
        <>
          <p>Scan the code with an authenticator, then enter the six digits that it shows.</p>
          <QrCode of="the second factor" text={begun.uri} />
          <p className="dim">
            Without a camera: <code className="secret">{begun.secret}</code>
          </p>
          <CodeForm
            label="Confirm"
            send={async (code) => {
              const answer = await api.call('putSessionSecondfactor', { body: { code } });
              if (answer.ok) setRecoveryCodes(answer.value.recoveryCodes);
              return answer.ok ? '' : answer.error.reason;
            }}
          />
        </>
      )}
    </section>
  );
}

function Removal({ left }: { readonly left: number }) {
  return (
    <>
      <p className="dim">An authenticator is set up; {left} recovery codes are left.</p>
      <CodeForm
        label="Remove it"
        send={async (code) => {
          const answer = await api.call('deleteSessionSecondfactor', { body: { code } });
          if (answer.ok) await readSession();
          return answer.ok ? '' : answer.error.reason;
        }}
      />
    </>
  );
}

/** In place of every page, while a tenant demands a second factor that the session lacks. */
export function SecondFactorPage({ leave }: { readonly leave: () => void }) {
  const isSet = session.value?.secondFactor?.isSet === true;
  return (
    <main className="sign-in">
      <div>
        <h1>A second factor is needed</h1>
        <p>
          {isSet
            ? 'Your organisation demands the second factor. Sign out, and sign in with a code.'
            : 'Your organisation demands a second factor in addition to the password. Set it up now.'}
        </p>
        {!isSet && <SecondFactor />}
        <button type="button" className="plain" onClick={leave}>
          Sign out
        </button>
      </div>
    </main>
  );
}

function Recovery({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  return (
    <section>
      <h2>Recovery codes</h2>
      <p className="notice" role="status">
        Keep these codes for the day the telephone is lost. Each of them opens the account once; they are
        never shown again.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" onClick={onKept}>
        I have kept them
      </button>
    </section>
  );
}

/** `send` gives why it was refused; empty: it was not. */
function CodeForm(props: { readonly label: string; readonly send: (code: string) => Promise<string> }) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    const refusal = await props.send(String(new FormData(form).get('code')).trim());
    setRefused(refusal);
    setBusy(false);
    if (refusal === '') form.reset();
  };
  return (
    <form className="line" onSubmit={(event) => void submit(event)}>
      <label>
        Code
        <input name="code" autoComplete="one-time-code" required maxLength={64} />
      </label>
      <button type="submit" disabled={busy}>
        {busy ? 'One moment…' : props.label}
      </button>
      <span className="refused" role="alert">
        {refused}
      </span>
    </form>
  );
}
