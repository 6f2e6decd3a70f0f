import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
      <h2>
        <Trans>Your second factor</Trans>
      </h2>
      {state?.isSet === true ? (
        <Removal left={state.recoveryCodesLeft ?? 0} />
      ) : begun === undefined ? (
        <>
          <p className="dim">
            <Trans>
              The password alone opens your account. With an authenticator on your telephone it takes both.
            </Trans>
          </p>
          <Act
            label={t`Set up an authenticator`}
            run={async () => {
              const answer = await api.call('postSessionSecondfactor', {});
              if (answer.ok) setBegun(answer.value);
              return answer;
            }}
          />
        </>
      ) : (
        <>
          <p>
            <Trans>Scan the code with an authenticator, then enter the six digits that it shows.</Trans>
          </p>
          <QrCode of={t`the second factor`} text={begun.uri} />
          <p className="dim">
            <Trans>
              Without a camera: <code className="secret">{begun.secret}</code>
            </Trans>
          </p>
          <CodeForm
            label={t`Confirm`}
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
  const { t } = useLingui();
  return (
    <>
      <p className="dim">
        <Trans>An authenticator is set up; {left} recovery codes are left.</Trans>
      </p>
      <CodeForm
        label={t`Remove it`}
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
  const { t } = useLingui();
  const isSet = session.value?.secondFactor?.isSet === true;
  return (
    <main className="sign-in">
      <div>
        <h1>
          <Trans>A second factor is needed</Trans>
        </h1>
        <p>
          {isSet
            ? t`Your organisation demands the second factor. Sign out, and sign in with a code.`
            : t`Your organisation demands a second factor in addition to the password. Set it up now.`}
        </p>
        {!isSet && <SecondFactor />}
        <button type="button" className="plain" onClick={leave}>
          <Trans>Sign out</Trans>
        </button>
      </div>
    </main>
  );
}

function Recovery({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  return (
    <section>
      <h2>
        <Trans>Recovery codes</Trans>
      </h2>
      <p className="notice" role="status">
        <Trans>
          Keep these codes for the day the telephone is lost. Each of them opens the account once; they are
          never shown again.
        </Trans>
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" onClick={onKept}>
        <Trans>I have kept them</Trans>
      </button>
    </section>
  );
}

/** `send` gives why it was refused; empty: it was not. */
function CodeForm(props: { readonly label: string; readonly send: (code: string) => Promise<string> }) {
  const { t } = useLingui();
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
        <Trans>Code</Trans>
        <input name="code" autoComplete="one-time-code" required maxLength={64} />
      </label>
      <button type="submit" disabled={busy}>
        {busy ? t`One moment…` : props.label}
      </button>
      <span className="refused" role="alert">
        {refused}
      </span>
    </form>
  );
}
