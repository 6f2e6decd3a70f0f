import { signal, useSignal } from '@preact/signals';
import { api } from '../client/api.ts';
import { now, useLive } from '../client/live.ts';
import { linkTo } from '../client/route.ts';
import { domain } from '../client/session.ts';
import type { PhoneState, Softphone } from '../client/softphone.ts';
import { span } from '../part/age.tsx';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** Lives on while other pages are looked at: an alarm may ring at any time. */
export const phoneState = signal<PhoneState>({ kind: 'off', reason: '' });
let softphone: Softphone | undefined;

/** A telephone in the browser: speech goes to an appliance of the tenant by WebRTC. */
export function PhonePage() {
  const { kind } = phoneState.value;
  return (
    <>
      <header class="page">
        <h1>Telephone</h1>
        <p class="dim flat">For calls and alarms, from this browser over an appliance of the tenant.</p>
      </header>
      {kind === 'off' ? <Register /> : <Talk />}
    </>
  );
}

function Register() {
  const busy = useSignal(false);
  const refused = useSignal('');
  const live = useLive(() => api.call('getSiteByDomain', { domain: domain.value }), [domain.value], 30_000);
  const servers = (live.value.value?.data.site ?? []).flatMap(({ hostName, siteBaseUrl }) =>
    siteBaseUrl === undefined
      ? []
      : [{ hostName, server: `${siteBaseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/sip` }],
  );
  const register = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(given.get(name) ?? '').trim();
    busy.value = true;
    refused.value = await turnOn(text('server'), text('deviceId'), String(given.get('password') ?? ''));
    busy.value = false;
  };
  return (
    <form class="narrow" onSubmit={(event) => void register(event)}>
      <label>
        Host
        <select name="server">
          {servers.map(({ hostName, server }) => (
            <option key={server} value={server}>
              {hostName}
            </option>
          ))}
        </select>
      </label>
      <label>
        Device
        <input name="deviceId" autocomplete="username" required />
      </label>
      <label>
        Its password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit" disabled={busy.value || servers.length === 0}>
        {busy.value ? 'One moment…' : 'Go online'}
      </button>
      <p class="refused" role="alert">
        {refused.value || phoneState.value.kind === 'off' ? refused.value || offReason() : ''}
      </p>
      <p class="dim">
        The device proves itself by a bearer token and may register: make one on the page{' '}
        <a href={linkTo('device')}>Devices</a>.
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
    const { openSoftphone } = await import('../client/softphone.ts');
    softphone = await openSoftphone({
      server,
      domain: domain.value,
      user: deviceId,
      token: token.value.token,
      changed: (state) => {
        phoneState.value = state;
      },
    });
    return '';
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function Talk() {
  const whom = useSignal('');
  const refused = useSignal('');
  const state = phoneState.value;
  const run = async (work: Promise<void> | undefined): Promise<void> => {
    refused.value = '';
    await work?.catch((cause: unknown) => {
      refused.value = cause instanceof Error ? cause.message : String(cause);
    });
  };
  return (
    <div class="phone" aria-live="polite">
      {state.kind === 'idle' && (
        <form
          class="line"
          onSubmit={(event) => {
            event.preventDefault();
            void run(softphone?.call(whom.value));
          }}
        >
          <label>
            Call
            <input
              value={whom.value}
              placeholder="device or number"
              required
              onInput={(event) => {
                whom.value = event.currentTarget.value.trim();
              }}
            />
          </label>
          <button type="submit">Call</button>
        </form>
      )}
      {(state.kind === 'ringing' || state.kind === 'calling' || state.kind === 'talking') && (
        <>
          <h2>{state.who || 'Unknown caller'}</h2>
          <p class="dim">
            {state.kind === 'talking' ? `talking for ${span(now.value - state.since)}` : `${state.kind}…`}
          </p>
          {state.kind === 'ringing' && (
            <button type="button" onClick={() => void run(softphone?.answer())}>
              Answer
            </button>
          )}{' '}
          <button type="button" class="danger" onClick={() => void run(softphone?.hangUp())}>
            {state.kind === 'ringing' ? 'Refuse' : 'Hang up'}
          </button>
          {state.kind === 'talking' && (
            <div class="keys">
              {KEYS.map((key) => (
                <button key={key} type="button" class="plain" onClick={() => softphone?.press(key)}>
                  {key}
                </button>
              ))}
            </div>
          )}
        </>
      )}
      <p class="refused" role="alert">
        {refused.value || (state.kind === 'idle' ? state.reason : '')}
      </p>
      <button type="button" class="plain" onClick={() => void run(softphone?.close())}>
        Go offline
      </button>
    </div>
  );
}
