import type { CallFailure, Client, Operations } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

type Entry = Operations['postAlarmbridgeByDomainHandshakes']['answer']['entries'][number];
type Offer = NonNullable<Entry['offers']>[number];
type Change = (api: Client, domain: string) => Promise<Result<unknown, CallFailure>>;

/**
 * The change that a person's agreement to an offer makes; undefined: the offer is only shown, since the subject of the entry
 * does not have the setting.
 */
export function switched({ kind, key, protocol }: Entry, { setting, value }: Offer): Change | undefined {
  if (value === undefined) return undefined;
  if (kind === 'device' && setting === 'protocol' && value !== 'multiprotocol')
    return (api, domain) => deviceProtocol(api, domain, key, value);
  if (kind !== 'bridge') return undefined;
  switch (setting) {
    case 'tones':
      return async (api, domain) => {
        const bridge = await found(api, domain, key);
        if (!bridge.ok) return bridge;
        const given = 'toneSettings' in bridge.value ? bridge.value.toneSettings : undefined;
        // Digits to the device: it is the caller, and nothing else of the settings is touched.
        const toneSettings = { ...given, callerDtmfSendType: value };
        return await patched(api, domain, key, '/toneSettings', toneSettings);
      };
    case 'protocol':
      return async (api, domain) => await patched(api, domain, key, '/protocol', value);
    case 'check':
      return async (api, domain) => {
        const bridge = await found(api, domain, key);
        if (!bridge.ok) return bridge;
        const name = `${protocol}-${value}`;
        const made = await api.call('postProvisioningProtocolprofile', {
          domain,
          body: {
            name,
            kind: 'tone',
            extends: bridge.value.protocolProfile ?? protocol,
            // A wrong check is reported and never hides an alarm.
            content: { check: { policy: 'warn', method: value } },
          } as Operations['postProvisioningProtocolprofile']['body'],
        });
        if (!made.ok && made.error.status !== 409) return made;
        return await patched(api, domain, key, '/protocolProfile', name);
      };
    case 'line':
      return undefined;
  }
}

async function found(api: Client, domain: string, alarmBridgeId: string) {
  const answer = await api.call('getProvisioningAlarmbridgeByAlarmBridgeId', { domain, alarmBridgeId });
  return answer.ok ? ({ ok: true, value: answer.value.alarmbridge } as const) : answer;
}

const patched = (api: Client, domain: string, alarmBridgeId: string, path: string, value: unknown) =>
  api.call('patchProvisioningAlarmbridgeByAlarmBridgeId', {
    domain,
    alarmBridgeId,
    body: [{ op: 'add', path, value }],
  });

async function deviceProtocol(api: Client, domain: string, deviceId: string, alarmProtocol: string) {
  const answer = await api.call('getProvisioningDeviceByDeviceId', { domain, deviceId });
  if (!answer.ok) return answer;
  const { serviceData } = answer.value;
  const value = { ...serviceData, alarmBridge: { ...serviceData?.alarmBridge, alarmProtocol } };
  return await api.call('patchProvisioningDeviceByDeviceId', {
    domain,
    deviceId,
    body: [{ op: 'add', path: '/serviceData', value }],
  });
}
