/** Public face of the registrar: where a device can be reached. */

export type { Binding, Change, RegistrarSettings, RemovalReason } from './binding.ts';
export { holderOf, isStale } from './binding.ts';
export { addressOfRecord, aorOf } from './contact-key.ts';
export { heldSince } from './holding.ts';
export { registeredFields } from './registered-fields.ts';
export { type Registered, Registrar } from './registrar.ts';
export { type Registration, readRegistration, type WantedContact } from './registration.ts';
