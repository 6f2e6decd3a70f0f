import { ADDONS, loadAddon } from './addon.ts';

/** Stands for the package `koffi`, whose own entry looks for its addon in folders; what we call of it is the addon itself. */
export default loadAddon(ADDONS.koffi);
