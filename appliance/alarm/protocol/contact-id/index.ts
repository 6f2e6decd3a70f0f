export {
  type ContactIdFields,
  contactIdProtocol,
  decodeMessage,
  encodeMessage,
  toHex,
  toSymbols,
} from './message.ts';
export { CONTACT_ID_PROFILE, type ContactIdProfile } from './profile.ts';
