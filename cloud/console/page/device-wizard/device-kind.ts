import { PROTOCOL_FAMILY } from '#shared/matching/index.ts';

/** The kinds of devices of which the wizard knows what a person types into them. */
export const DEVICE_KINDS = ['message', 'tone', 'panel'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

/** Protocols of alarm receivers that take alarms of a kind. */
const PROTOCOLS: Readonly<Record<DeviceKind, readonly string[]>> = {
  message: PROTOCOL_FAMILY.sipMessage,
  tone: PROTOCOL_FAMILY.tone,
  panel: PROTOCOL_FAMILY.ipReceiver,
};

/** An alarm receiver, as much as the wizard needs of it. */
export interface Receiver {
  readonly id: string;
  readonly name?: string;
  readonly protocol: string;
  readonly destinationMatch?: string;
}

/** The receivers that take alarms of devices of this kind. */
export const receiversFor = (kind: DeviceKind, all: readonly Receiver[]): readonly Receiver[] =>
  all.filter(({ protocol }) => PROTOCOLS[kind].includes(protocol));

/** The destination that a pattern matches alone, such as `scaip` of `^scaip$`; undefined: it matches several. */
export const destinationOf = ({ destinationMatch = '' }: Receiver): string | undefined =>
  /^\^([\w@.-]+)\$$/.exec(destinationMatch)?.[1];

/** The answers of a person about a new device. */
export interface DeviceDraft {
  readonly kind: DeviceKind;
  readonly deviceId: string;
  /** Telephone number of an analogue line; empty: unknown. */
  readonly number: string;
  /** The device can keep a password. */
  readonly hasPassword: boolean;
}

/** The device as the API stores it. */
export function deviceOf({ kind, deviceId, number, hasPassword }: DeviceDraft) {
  const authType =
    kind !== 'message'
      ? ('disabled' as const)
      : hasPassword
        ? ('credentials' as const)
        : ('deviceid' as const);
  return {
    deviceId: deviceId.trim(),
    authType,
    srtp: 'negotiated' as const,
    deviceType: 'alarmUnit' as const,
    ...(kind === 'tone' && number.trim() !== '' ? { deviceCLI: number.trim() } : {}),
  };
}

/** The command that plays this device from a computer near a host: a test without the device. */
export function simulation(
  { kind, deviceId }: Pick<DeviceDraft, 'kind' | 'deviceId'>,
  at: {
    readonly host: string;
    readonly domain: string;
    readonly destination: string;
    readonly password: string;
  },
): string | undefined {
  if (kind !== 'message') return undefined;
  const password = at.password === '' ? '' : ` --password '${at.password}'`;
  return `npx carillon simulate scaip --to ${at.host}:5060 --domain ${at.domain} --receiver ${at.destination} --device ${deviceId.trim()}${password}`;
}
