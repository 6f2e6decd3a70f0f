import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive, useNow } from '../../client/live.ts';
import { phoneLine, phoneState } from '../../client/phone-state.ts';
import { domain } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { span } from '../../component/age.tsx';
import { PageLink } from '../../component/page-link.tsx';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** A telephone in the browser: speech goes to an appliance of the tenant by WebRTC. */
export function PhonePage() {
  const { kind } = useStore(phoneState);
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Telephone</Trans>
        </h1>
        <p className="dim flat">
          <Trans>For calls and alarms, from this browser over an appliance of the tenant.</Trans>
        </p>
      </header>
      {kind === 'off' ? <Register /> : <Talk />}
    </>
  );
}

function Register() {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');
  const live = useLive(() => api.call('getSiteByDomain', { domain: domain.value }), [domain.value], 30_000);
  const servers = (live.value?.data.site ?? []).flatMap(({ hostName, siteBaseUrl }) =>
    siteBaseUrl === undefined
      ? []
      : [{ hostName, server: `${siteBaseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/sip` }],
  );
  const register = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string): string => String(given.get(name) ?? '').trim();
    setBusy(true);
    setRefused(await turnOn(text('server'), text('deviceId'), String(given.get('password') ?? '')));
    setBusy(false);
  };
  return (
    <form className="narrow" onSubmit={(event) => void register(event)}>
      <label>
        <Trans>Host</Trans>
        <select name="server">
          {servers.map(({ hostName, server }) => (
            <option key={server} value={server}>
              {hostName}
            </option>
          ))}
        </select>
      </label>
      <label>
        <Trans>Device</Trans>
        <input name="deviceId" autoComplete="username" required />
      </label>
      <label>
        <Trans>Its password</Trans>
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={busy || servers.length === 0}>
        {busy ? t`One moment…` : t`Go online`}
      </button>
      <p className="refused" role="alert">
        {refused || phoneState.value.kind === 'off' ? refused || offReason() : ''}
      </p>
      <p className="dim">
        <Trans>
          The device proves itself by a bearer token and may register: make one on the page{' '}
          <PageLink page="device">Devices</PageLink>.
        </Trans>
      </p>
    </form>
  );
}

const offReason = (): string => (phoneState.value.kind === 'off' ? phoneState.value.reason : '');

/** Signs the device in and registers it; what hindered it, in words, or nothing. */
async function turnOn(server: string, deviceId: string, password: string): Promise<string> {
  const token = await api.call('postAuthorize', { body: { domain: domain.value, deviceId, password } });
  if (!token.ok) return token.error.reason;
  try {
    const { openSoftphone } = await import('../../client/softphone.ts');
    const phone = await openSoftphone({
      server,
      domain: domain.value,
      user: deviceId,
      token: token.value.token,
      changed: (state) => {
        phoneState.value = state;
      },
    });
    phoneLine.value = { deviceId, phone };
    return '';
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

const forget = (): void => {
  phoneLine.value = undefined;
};

function Talk() {
  const { t } = useLingui();
  const now = useNow();
  const [whom, setWhom] = useState('');
  const [refused, setRefused] = useState('');
  const state = useStore(phoneState);
  const softphone = useStore(phoneLine)?.phone;
  const run = async (work: Promise<void> | undefined): Promise<void> => {
    setRefused('');
    await work?.catch((cause: unknown) => {
      setRefused(cause instanceof Error ? cause.message : String(cause));
    });
  };
  return (
    <div className="phone" aria-live="polite">
      {state.kind === 'idle' && (
        <form
          className="line"
          onSubmit={(event) => {
            event.preventDefault();
            void run(softphone?.call(whom));
          }}
        >
          <label>
            <Trans>Call</Trans>
            <input
              value={whom}
              placeholder={t`device or number`}
              required
              onChange={(event) => {
                setWhom(event.currentTarget.value.trim());
              }}
            />
          </label>
          <button type="submit">
            <Trans>Call</Trans>
          </button>
        </form>
      )}
      {(state.kind === 'ringing' || state.kind === 'calling' || state.kind === 'talking') && (
        <>
          <h2>{state.who || t`Unknown caller`}</h2>
          <p className="dim">
            {state.kind === 'talking'
              ? t`talking for ${span(now - state.since)}`
              : state.kind === 'ringing'
                ? t`rings…`
                : t`is called…`}
          </p>
          {state.kind === 'ringing' && (
            <button type="button" onClick={() => void run(softphone?.answer())}>
              <Trans>Answer</Trans>
            </button>
          )}{' '}
          <button type="button" className="danger" onClick={() => void run(softphone?.hangUp())}>
            {state.kind === 'ringing' ? t`Refuse` : t`Hang up`}
          </button>
          {state.kind === 'talking' && (
            <div className="keys">
              {KEYS.map((key) => (
                <button key={key} type="button" className="plain" onClick={() => softphone?.press(key)}>
                  {key}
                </button>
              ))}
            </div>
          )}
        </>
      )}
      <p className="refused" role="alert">
        {refused || (state.kind === 'idle' ? state.reason : '')}
      </p>
      <button
        type="button"
        className="plain"
        onClick={() => void run(softphone?.close().then(() => forget()))}
      >
        <Trans>Go offline</Trans>
      </button>
    </div>
  );
}
