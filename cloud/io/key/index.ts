export { configKeys } from './config-key.ts';
export { keptToken, writePrivateFile } from './private-file.ts';
export { isSignedBy, isSiteSignature } from './signature.ts';
export { createSiteKey, openSigner, publicPart, type Signer } from './signing-key.ts';
export { type KeySource, openVault, type Vault } from './vault.ts';
