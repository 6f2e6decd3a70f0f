import { leavesChoice } from '#shared/matching/index.ts';
import type { Result } from '#shared/result.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import type { AnsweredMessage, MessageProtocol } from '../protocol/index.ts';
import { type Atm, decodeAtm, meaningOf, type NowIpProfile } from '../protocol/nowip/index.ts';
import {
  decodeRequest,
  type ScaipProfile,
  type ScaipRefusal,
  type ScaipRequest,
  SNU,
} from '../protocol/scaip/index.ts';
import { acceptsContentType, decodeContent, type Inflate } from '../protocol/xml-message/index.ts';
import { type AlarmReceiver, type FoundDevice, protocolFor, type ReceiverBridge } from '../receiver/index.ts';
import { MESSAGE_PROTOCOLS } from './message-protocol.ts';

/** An alarm in the body of a MESSAGE. */
export type MessageAlarm =
  | {
      readonly kind: 'scaip';
      readonly profile: ScaipProfile;
      readonly decoded: Result<ScaipRequest, ScaipRefusal>;
    }
  | { readonly kind: 'nowip'; readonly profile: NowIpProfile; readonly atm: Atm }
  | { readonly kind: 'answered'; readonly protocol: string; readonly message: AnsweredMessage };

export interface MessageReadingDependencies {
  readonly profiles: ProfileTables;
  readonly inflate: Inflate;
  /** The device of the sender, by its SIP identity. */
  readonly device: FoundDevice['device'];
  /** Absent: all of the registry. */
  readonly protocols?: readonly MessageProtocol[] | undefined;
}

/** Reads the body by the protocol of the bridge, or of the device; undefined: it is none of its alarms. */
export function readMessage(
  request: SipRequest,
  bridge: ReceiverBridge,
  dependencies: MessageReadingDependencies,
): MessageAlarm | undefined {
  for (const protocol of protocolsOf(bridge, dependencies)) {
    const read = readAs(protocol, request, bridge, dependencies);
    if (read !== undefined) return read;
  }
  return undefined;
}

/**
 * Where the bridge leaves the choice: that of the device, then what the body says by its root. `Chosen:` SCAIP last, since it
 * answers whatever it cannot read, and an alarm of another protocol would end with that answer.
 */
function protocolsOf(
  bridge: ReceiverBridge,
  { device, protocols = MESSAGE_PROTOCOLS }: MessageReadingDependencies,
): readonly string[] {
  const protocol = protocolFor(bridge, device, 'message');
  if (!leavesChoice(bridge)) return protocol === undefined ? [] : [protocol];
  const own = protocol === undefined || protocol === 'scaip' ? [] : [protocol];
  const byRoot = protocols.filter(({ namesItself }) => namesItself).map(({ name }) => name);
  return [...new Set([...own, ...byRoot, 'nowip', 'scaip'])];
}

function readAs(
  protocol: string,
  request: SipRequest,
  bridge: ReceiverBridge,
  { profiles, inflate, protocols = MESSAGE_PROTOCOLS }: MessageReadingDependencies,
): MessageAlarm | undefined {
  const named = bridge.protocolProfile;
  const type = request.contentType;
  const refused = ({ contentTypesAccepted }: { readonly contentTypesAccepted: readonly string[] }) =>
    type !== undefined && !acceptsContentType(contentTypesAccepted, type);
  const body = decodeContent(request.body, request.header('Content-Encoding'), inflate);
  switch (protocol) {
    case 'scaip': {
      if (!profiles.isOn('scaip', named)) return undefined;
      const profile = profiles.scaip(named);
      if (refused(profile)) return undefined;
      return {
        kind: 'scaip',
        profile,
        decoded: body.ok ? decodeRequest(body.value) : unreadable(body.error.reason),
      };
    }
    case 'nowip':
    case 'nowipcontroller': {
      if (!profiles.isOn(protocol, named)) return undefined;
      const profile = protocol === 'nowip' ? profiles.nowip(named) : profiles.nowIpController(named);
      const atm = body.ok && !refused(profile) ? decodeAtm(body.value) : undefined;
      return atm?.ok === true ? { kind: 'nowip', profile, atm: atm.value } : undefined;
    }
    default: {
      const row = protocols.find(({ name }) => name === protocol);
      if (row === undefined || !body.ok || PROFILE_OF[row.name]?.isOn(profiles, named) === false)
        return undefined;
      const message = row.read(body.value, type, PROFILE_OF[row.name]?.of(profiles, named));
      return message && { kind: 'answered', protocol: row.name, message };
    }
  }
}

interface Changeable {
  readonly isOn: (profiles: ProfileTables, named: string | undefined) => boolean;
  readonly of: (profiles: ProfileTables, named: string | undefined) => unknown;
}

/** Profiles that a tenant may change. A protocol without one is on and spoken as its folder says. */
const PROFILE_OF: Readonly<Record<string, Changeable>> = {
  lacs: {
    isOn: (profiles, named) => profiles.isOn('lacs', named),
    of: (profiles, named) => profiles.lacs(named),
  },
};

const unreadable = (reason: string): Result<never, ScaipRefusal> => ({
  ok: false,
  error: { code: 'Refused', reason, snu: SNU.invalidFormat, ref: '0' },
});

/** A unit as its message names it. */
interface Unit {
  readonly controllerId: string;
  readonly deviceId?: string | undefined;
}

/** Whether provisioning knows the unit that a message is of, by its own name or by its number. */
export function isKnownUnit(
  receiver: AlarmReceiver,
  bridge: ReceiverBridge,
  alarm: MessageAlarm,
  fromUser: string,
): boolean {
  const unit = unitOf(alarm, fromUser);
  // An answer to a command of ours belongs to an alarm that was taken, and opens none.
  if (unit === undefined) return true;
  return receiver.find(bridge, { ...unit, callingParty: fromUser }).device !== undefined;
}

function unitOf(alarm: MessageAlarm, fromUser: string): Unit | undefined {
  if (alarm.kind === 'answered') return alarm.message.event(fromUser).event;
  if (alarm.kind === 'nowip') return unitOfAtm(alarm.atm, fromUser);
  if (!alarm.decoded.ok) return { controllerId: fromUser };
  const { cid, did } = alarm.decoded.value;
  return { controllerId: cid, deviceId: did };
}

function unitOfAtm(atm: Atm, fromUser: string): Unit | undefined {
  const meaning = meaningOf(atm);
  if (!meaning.ok) return { controllerId: fromUser };
  const said = meaning.value;
  if (said.kind !== 'alarm' && said.kind !== 'heartbeat') return undefined;
  const { controllerId, unitId } = said.kind === 'alarm' ? said.fields : said;
  return { controllerId, deviceId: unitId };
}
