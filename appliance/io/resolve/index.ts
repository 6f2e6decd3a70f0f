export { type LookupSetting, openLookup } from './open-lookup.ts';
