export { type OpenField, type OpenMeaning, type OpenProfile, RB2000_PROFILE } from './profile.ts';
export { openToneProtocol } from './protocol.ts';
