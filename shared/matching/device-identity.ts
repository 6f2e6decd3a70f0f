/** The data in an alarm about its device. */
export interface AlarmIdentity {
  readonly customerSiteId?: string | undefined;
  readonly controllerId: string;
  readonly deviceId?: string | undefined;
}

/** `customerSiteId:controllerId:deviceId`; parts that are absent take their colon with them. */
export function deviceIdOf({ customerSiteId, controllerId, deviceId }: AlarmIdentity): string {
  return [customerSiteId, controllerId, deviceId]
    .filter((part) => part !== undefined && part !== '')
    .join(':');
}

/**
 * The provisioned ids an alarm may belong to, best first (provisioning document 2.5): the unit itself, then
 * its controller, whose settings hold for units that are not provisioned one by one.
 *
 * With a customerSiteId no id without it is tried: another site may use the same numbers.
 */
export function candidateDeviceIds(identity: AlarmIdentity): readonly string[] {
  const unit = deviceIdOf(identity);
  const controller = deviceIdOf({
    customerSiteId: identity.customerSiteId,
    controllerId: identity.controllerId,
  });
  return unit === controller ? [unit] : [unit, controller];
}

/** Where devices are found; the cloud asks its database, the appliance its replica. */
export interface DeviceDirectory<D> {
  byId(deviceId: string): D | undefined;
  /** By `cliKey` of its deviceCLI. */
  byCli(key: string): D | undefined;
  /** By `accountKey` of its id; undefined also where several devices have this key. */
  byAccount?(key: string): D | undefined;
}

export interface DeviceQuestion {
  readonly identity: AlarmIdentity;
  /** Calling number, or user part of From. */
  readonly callingParty?: string | undefined;
  /** `resolveDeviceFromDeviceCLI` of the alarm bridge. */
  readonly resolveDeviceFromDeviceCLI?: boolean | undefined;
  /** The identity is an account of DC-09: panels and people write it in either case, with or without leading zeros. */
  readonly isAccount?: boolean | undefined;
}

/**
 * The provisioned device of an alarm. With `resolveDeviceFromDeviceCLI` the calling number decides first; an
 * alarm whose number is not known is still looked up by its identity. undefined: an unknown unit, named by
 * the first of `candidateDeviceIds`.
 */
export function resolveDevice<D>(directory: DeviceDirectory<D>, question: DeviceQuestion): D | undefined {
  const { identity, callingParty } = question;
  if (question.resolveDeviceFromDeviceCLI && callingParty) {
    const device = directory.byCli(cliKey(callingParty));
    if (device !== undefined) return device;
  }
  for (const deviceId of candidateDeviceIds(identity)) {
    const device = directory.byId(deviceId);
    if (device !== undefined) return device;
  }
  if (question.isAccount !== true) return undefined;
  for (const deviceId of candidateDeviceIds(identity)) {
    const device = directory.byAccount?.(accountKey(deviceId));
    if (device !== undefined) return device;
  }
  return undefined;
}

/** An account, or a device id made of accounts, without its case and leading zeros (decisions 3, DC-09 receiver). */
export const accountKey = (deviceId: string): string =>
  deviceId
    .split(':')
    .map((part) => part.toUpperCase().replace(/^0+(?=.)/, ''))
    .join(':');

/** A telephone number without the signs people put between its digits (RFC 3966 5.1.1), in lower case. */
export function cliKey(number: string): string {
  return number.replace(/[\s().-]/g, '').toLowerCase();
}
