export { keptText, writePrivateFile } from './private-file.ts';
export { createSiteKey, openSigner, publicPart, type Signer } from './signing-key.ts';
export { type KeySource, openVault, type Vault } from './vault.ts';
