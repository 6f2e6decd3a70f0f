export { type CpcPayload, cpcProtocol, findPayload } from './cpc.ts';
export { decodePacket, encodePacket, type P100Packet, p100Protocol } from './p100.ts';
export { CPC_PROFILE, type CpcProfile, P100_PROFILE } from './profile.ts';
export { TWON_PROFILE, twonProtocol } from './twon.ts';
