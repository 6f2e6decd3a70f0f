import type { Operations } from '#shared/client/index.ts';

type Entry = Operations['getRecordByDomain']['answer']['records'][number];
type Device = Operations['getProvisioningDevice']['answer']['devices'][number];
export type Bridge = Operations['getProvisioningAlarmbridgeByAlarmBridgeId']['answer']['alarmbridge'];

const DAY_MS = 86_400_000;
/** Results that a person looks at. */
const BAD: ReadonlySet<Entry['result']> = new Set(['failed', 'unanswered', 'refused', 'interrupted']);

/** The sessions of a device in one day of the person's zone. */
export interface DeviceDay {
  /** Begin, epoch ms. */
  readonly begin: number;
  readonly sessions: number;
  readonly bad: number;
}

/** The last `count` days, the oldest first; `midnight`: begin of today, epoch ms. */
export function daysOf(records: readonly Entry[], midnight: number, count: number): readonly DeviceDay[] {
  return Array.from({ length: count }, (_, index) => {
    const begin = midnight - (count - 1 - index) * DAY_MS;
    const own = records.filter(({ at }) => at >= begin && at < begin + DAY_MS);
    return { begin, sessions: own.length, bad: own.filter(({ result }) => BAD.has(result)).length };
  });
}

/** How many conversations in tones were understood without a repeat; undefined: none was judged. */
export function firstTry(
  records: readonly Entry[],
): { readonly good: number; readonly judged: number } | undefined {
  const judged = records.flatMap(({ tones }) => (tones?.firstTry === undefined ? [] : [tones.firstTry]));
  if (judged.length === 0) return undefined;
  return { good: judged.filter(Boolean).length, judged: judged.length };
}

/** Where the value of a setting stands: at the device, at its receiver, in a protocol profile, or nowhere. */
export type SettingSource = 'device' | 'receiver' | 'profile' | 'default';
export interface EffectiveSetting {
  readonly name:
    | 'alarmProtocol'
    | 'protocolProfile'
    | 'heartbeatInterval'
    | 'emergencyDestination'
    | 'voiceDestination'
    | 'destinationRewrite'
    | 'usePredefinedDestination'
    | 'srtp'
    | 'digestAlgorithm';
  /** Empty: there is none. */
  readonly value: string;
  readonly source: SettingSource;
}

/** The first text that is there; an empty one was stored for none. */
const filled = (value: unknown): string | undefined =>
  value === undefined || String(value).trim() === '' ? undefined : String(value);

/** The settings by which alarms of a device are treated, as the appliance joins them: the device goes before its receiver. */
export function effectiveSettings(device: Device, bridge: Bridge | undefined): readonly EffectiveSetting[] {
  const own = device.serviceData?.alarmBridge;
  const joined = (
    name: EffectiveSetting['name'],
    ofDevice: unknown,
    ofReceiver?: unknown,
    otherwise = '',
  ): EffectiveSetting => {
    const [first, second] = [filled(ofDevice), filled(ofReceiver)];
    if (first !== undefined) return { name, value: first, source: 'device' };
    if (second !== undefined) return { name, value: second, source: 'receiver' };
    return { name, value: otherwise, source: 'default' };
  };
  const protocol = bridge?.protocol === 'deviceProvisioned' ? undefined : bridge?.protocol;
  const ownProtocol = bridge === undefined || protocol === undefined ? own?.alarmProtocol : undefined;
  const profile = bridge === undefined ? undefined : filled(bridge.protocolProfile);
  return [
    joined('alarmProtocol', ownProtocol, protocol),
    { name: 'protocolProfile', value: profile ?? '', source: profile === undefined ? 'default' : 'profile' },
    joined('heartbeatInterval', own?.heartbeatInterval, bridge?.defaultHeartbeatInterval),
    joined('emergencyDestination', own?.emergencyDestination, bridge?.defaultEmergencyDestination),
    joined('voiceDestination', own?.voiceDestination),
    joined('destinationRewrite', own?.destinationRewrite),
    joined('usePredefinedDestination', own?.usePredefinedDestination, undefined, 'false'),
    joined('srtp', device.srtp),
    ...(device.authType === 'credentials'
      ? [joined('digestAlgorithm', device.digestAlgorithm, undefined, 'auto')]
      : []),
  ];
}
