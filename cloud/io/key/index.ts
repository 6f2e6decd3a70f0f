export { configKeys } from './config-key.ts';
export type { KeptKey } from './kept-key.ts';
export { isKeyGiven, type KeySource } from './key-encryption-key.ts';
export { writePrivateFile } from './private-file.ts';
export { makeSenderKey, openSenderKey, type SenderKey } from './sender-key.ts';
export { isSignedBy, isSiteSignature } from './signature.ts';
export {
  announceKey,
  createSiteKey,
  fingerprintOf,
  openSigner,
  publicPart,
  type Signer,
  shownKeys,
} from './signing-key.ts';
export { openVault, type Vault } from './vault.ts';
export { beginRotation, SIGNING_FILE, SIGNING_PLACE, type VaultRotation } from './vault-rotation.ts';
