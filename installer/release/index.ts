export { type ReleaseKey, readSignature, releaseKeys, type Signature, verifySignature } from './minisign.ts';
export { compareVersions, type ReleaseNote, releaseNote } from './release-note.ts';
