import { useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { domain, mayProvision } from '../session.ts';
import type { Device } from './device.tsx';

type Asked = Operations['putProvisioningDevice']['body'];

const AUTH_TYPES: Readonly<Record<Asked['authType'], string>> = {
  credentials: 'user and password (SIP digest)',
  deviceid: 'its id alone (alarms by SCAIP)',
  userid: 'a bearer token (SIP over WebSocket)',
  disabled: 'nothing: it is locked out',
};
const SRTP: Readonly<Record<Asked['srtp'], string>> = {
  negotiated: 'when the other side wants it',
  alwaysWithTLS: 'always over TLS',
  always: 'always',
  never: 'never',
};
const TYPES = [
  'alarmbridgeAlarmUnit',
  'alarmbridgeGroupSchemeController',
  'alarmbridgeGroupSchemeUnit',
  'alarmbridgeConnectGateway',
  'alarmbridgeConnect',
  'sipDevice',
  'jwtAuthenticatedOnDemandDevice',
] as const;

/** The fields people change most. What else a device has stays as it is. */
export function DeviceForm({
  device,
  done,
}: {
  readonly device: Device | undefined;
  readonly done: () => void;
}) {
  const busy = useSignal(false);
  const refused = useSignal('');
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    refused.value = '';
    const answer = await api.call('putProvisioningDevice', {
      domain: domain.value,
      body: asked(device, new FormData(event.currentTarget as HTMLFormElement)),
    });
    busy.value = false;
    if (answer.ok) done();
    else refused.value = answer.error.reason;
  };
  const locked = !mayProvision.value;
  return (
    <form onSubmit={(event) => void save(event)}>
      <fieldset disabled={locked || busy.value}>
        <label>
          Id
          <input
            name="deviceId"
            value={device?.deviceId}
            readOnly={device !== undefined}
            required
            maxLength={128}
          />
        </label>
        <label>
          Description
          <input name="description" value={device?.description} maxLength={256} />
        </label>
        <label>
          Kind
          <select name="deviceType" value={device?.deviceType ?? TYPES[0]}>
            {TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label>
          Proves itself by
          <select name="authType" value={device?.authType ?? 'credentials'}>
            {Object.entries(AUTH_TYPES).map(([type, words]) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          Password
          <input
            name="password"
            type="password"
            autocomplete="new-password"
            placeholder={device === undefined ? '' : 'unchanged'}
          />
        </label>
        <label>
          Speech is encrypted
          <select name="srtp" value={device?.srtp ?? 'negotiated'}>
            {Object.entries(SRTP).map(([policy, words]) => (
              <option key={policy} value={policy}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {!locked && <button type="submit">{busy.value ? 'One moment…' : 'Save'}</button>}
      </fieldset>
      <p class="refused" role="alert">
        {refused.value}
      </p>
    </form>
  );
}

/** What the service adds by itself is not sent back; secrets it shows masked, and takes the mask for "unchanged". */
function asked(device: Device | undefined, given: FormData): Asked {
  const { lastConfigured: _, heartbeatStatus: __, heartbeatExpiration: ___, ...kept } = device ?? {};
  const text = (name: string): string => String(given.get(name) ?? '').trim();
  const password = String(given.get('password') ?? '');
  return {
    ...kept,
    deviceId: text('deviceId'),
    authType: text('authType') as Asked['authType'],
    srtp: text('srtp') as Asked['srtp'],
    deviceType: text('deviceType') as NonNullable<Asked['deviceType']>,
    ...(text('description') === '' ? {} : { description: text('description') }),
    ...(password === '' ? {} : { password }),
  };
}
