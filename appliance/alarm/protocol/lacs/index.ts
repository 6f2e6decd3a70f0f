export { LACS_PROFILE, type LacsMeaning, type LacsProfile } from './profile.ts';
export { decodeLacs, encodeReply, type LacsRequest, lacsEvent } from './request.ts';
