import { type SubmitEvent, useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain, mayProvision } from '../../client/session.ts';

export type Device = Operations['getProvisioningDevice']['answer']['devices'][number];
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
const DIGESTS: Readonly<Record<NonNullable<Asked['digestAlgorithm']>, string>> = {
  auto: 'SHA-256, or MD5 where the device needs it',
  md5: 'MD5 alone',
  sha256: 'SHA-256 alone',
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

/** The fields people change most. The other fields of a device stay as they are. */
export function DeviceForm({
  device,
  done,
}: {
  readonly device: Device | undefined;
  readonly done: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');
  const [made, setMade] = useState('');
  const [authType, setAuthType] = useState<Asked['authType']>(device?.authType ?? 'credentials');
  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefused('');
    const answer = await api.call('putProvisioningDevice', {
      domain: domain.value,
      body: asked(device, new FormData(event.currentTarget)),
    });
    setBusy(false);
    if (!answer.ok) setRefused(answer.error.reason);
    else if (answer.value.password === undefined) done();
    else setMade(answer.value.password);
  };
  if (made !== '')
    return (
      <p className="notice" role="status">
        The password of this device is <code>{made}</code>. Copy it now; it is never shown again.
      </p>
    );
  const locked = !mayProvision.value;
  return (
    <form onSubmit={(event) => void save(event)}>
      <fieldset disabled={locked || busy}>
        <label>
          Id
          <input
            name="deviceId"
            defaultValue={device?.deviceId}
            readOnly={device !== undefined}
            required
            maxLength={128}
          />
        </label>
        <label>
          Description
          <input name="description" defaultValue={device?.description} maxLength={256} />
        </label>
        <label>
          Kind
          <select name="deviceType" defaultValue={device?.deviceType ?? TYPES[0]}>
            {TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label>
          Proves itself by
          <select
            name="authType"
            value={authType}
            onChange={(event) => {
              setAuthType(event.currentTarget.value as Asked['authType']);
            }}
          >
            {Object.entries(AUTH_TYPES).map(([type, words]) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {authType === 'userid' && (
          <label>
            Password
            <input
              name="password"
              type="password"
              autoComplete="new-password"
              placeholder={device?.password === undefined ? '' : 'unchanged'}
              required={device?.password === undefined}
            />
          </label>
        )}
        {authType === 'credentials' && device?.ha1 === undefined && (
          <p className="dim">A password is made and shown once.</p>
        )}
        {authType === 'credentials' && (
          <label>
            Hash of the digest
            <select name="digestAlgorithm" defaultValue={device?.digestAlgorithm ?? 'auto'}>
              {Object.entries(DIGESTS).map(([algorithm, words]) => (
                <option key={algorithm} value={algorithm}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Speech is encrypted
          <select name="srtp" defaultValue={device?.srtp ?? 'negotiated'}>
            {Object.entries(SRTP).map(([policy, words]) => (
              <option key={policy} value={policy}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {!locked && <button type="submit">{busy ? 'One moment…' : 'Save'}</button>}
      </fieldset>
      <p className="refused" role="alert">
        {refused}
      </p>
    </form>
  );
}

/**
 * The form does not send back the fields that the service adds by itself; secrets it shows masked, and takes the mask for
 * "unchanged".
 */
function asked(device: Device | undefined, given: FormData): Asked {
  const known: Partial<Device> = device ?? {};
  const { lastConfigured: _, heartbeatStatus: __, heartbeatExpiration: ___, ...kept } = known;
  const text = (name: string): string => String(given.get(name) ?? '').trim();
  const authType = text('authType') as Asked['authType'];
  const password = String(given.get('password') ?? '');
  // The credential of another kind of device is no part of this one.
  if (authType !== 'userid') delete kept.password;
  if (authType !== 'credentials') delete kept.ha1;
  delete kept.digestAlgorithm;
  const digestAlgorithm = text('digestAlgorithm') as '' | NonNullable<Asked['digestAlgorithm']>;
  return {
    ...kept,
    deviceId: text('deviceId'),
    authType,
    srtp: text('srtp') as Asked['srtp'],
    ...(digestAlgorithm === '' || digestAlgorithm === 'auto' ? {} : { digestAlgorithm }),
    deviceType: text('deviceType') as NonNullable<Asked['deviceType']>,
    ...(text('description') === '' ? {} : { description: text('description') }),
    ...(password === '' ? {} : { password }),
  };
}
