import { PROTOCOL_FAMILY } from '../../matching/index.ts';

export { PROTOCOL_FAMILY };

export const ALARM_PROTOCOLS = [
  ...PROTOCOL_FAMILY.sipMessage,
  ...PROTOCOL_FAMILY.tone,
  ...PROTOCOL_FAMILY.ipReceiver,
  ...PROTOCOL_FAMILY.api,
  ...PROTOCOL_FAMILY.voice,
] as const;

/** The hint of API and console next to a protocol that is accepted and cannot be spoken as it is (protocols 6). */
export const PROTOCOL_HINT: Readonly<Record<string, string>> = {
  rb2000: 'no public description; the profile must be completed',
};

export type AlarmProtocol = (typeof ALARM_PROTOCOLS)[number];

/** The protocols that a device may declare: every protocol but the one that asks the device. */
export const DEVICE_PROTOCOLS = ALARM_PROTOCOLS.filter((name) => name !== 'deviceProvisioned');

export const FALLBACK_PROTOCOLS = ['bs8521', 'scaip', 'tt92', 'ttnew'] as const;

/** The protocols that a mapper can send, by family: one variant of `targetEndpoint` each; `protocol` distinguishes them. */
export const TARGET_FAMILY = {
  /** An XML body in a SIP MESSAGE. */
  sipMessage: ['scaip', 'nowip'],
  /** Tones in a call, or the call alone. */
  call: ['bs8521', 'tt92', 'ttnew', 'voicecall'],
  /** Frames of SIA DC-09 over TCP or UDP. */
  ipReceiver: ['sia-dcs', 'adm-cid'],
  /** An HTTPS request. */
  callback: ['callback'],
} as const;
