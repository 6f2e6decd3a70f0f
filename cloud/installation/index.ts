/** Public face of an installation: the sealed database, and the keys in it that all processes share. */

export { beginNewInstallation, formerNames, installationName } from './former.ts';
export {
  type InstallationKeys,
  type KeyOrigin,
  openInstallationKeys,
  PURPOSES,
  type Purpose,
} from './installation-keys.ts';
export { authorityChain, keysOfInstallation, writeShownFiles } from './keys.ts';
export { closedVault, type InstallationPlace, openSealedDatabase } from './sealed-database.ts';
