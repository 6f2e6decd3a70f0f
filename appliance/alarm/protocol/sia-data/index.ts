export { accountName, isSameAccount } from './account.ts';
export { type AdmCidEvent, decodeAdmCid, encodeAdmCid } from './adm-cid.ts';
export { decodeSia, encodeSia, type SiaEvent } from './sia-dcs.ts';
