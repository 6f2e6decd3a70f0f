export { type CpcPayload, cpcProtocol, findPayload } from './cpc.ts';
export { decodePacket, encodePacket, type P100Packet, p100Protocol } from './p100.ts';
export { CPC_PROFILE, P100_PROFILE } from './profile.ts';
