import type { HeaderFields } from '../message/index.ts';
import type { Binding } from './binding.ts';
import type { Registration } from './registration.ts';

/** Header fields of the 200 to a REGISTER (RFC 3261 10.3 step 8, RFC 3327 5.3, RFC 5626 6). */
export function registeredFields(
  bindings: readonly Binding[],
  wanted: Registration,
  nowMs: number,
): HeaderFields {
  const fields: [string, string][] = bindings.map((binding) => ['Contact', contactValue(binding, nowMs)]);
  for (const path of wanted.path) fields.push(['Path', path]);
  if (wanted.contacts !== '*' && wanted.contacts.some(({ outbound }) => outbound))
    fields.push(['Require', 'outbound']);
  return fields;
}

/** Whole seconds, rounded up: a device that refreshes in the last of them is still in time. */
function contactValue(binding: Binding, nowMs: number): string {
  const expires = Math.max(0, Math.ceil((binding.expiresAtMs - nowMs) / 1_000));
  const q = binding.q === 1 ? '' : `;q=${binding.q}`;
  return `<${binding.contact}>;expires=${expires}${q}`;
}
