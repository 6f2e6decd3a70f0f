/** The consequence of an override of this host; a value that is undefined ends it. */
export type OverrideEffect =
  | { readonly kind: 'logLevel'; readonly level: unknown }
  | { readonly kind: 'testMode'; readonly on: boolean }
  | { readonly kind: 'fallbackNumber'; readonly number: unknown }
  | { readonly kind: 'service'; readonly name: string; readonly paused: boolean };

const SERVICE = 'service:';

/** @returns undefined: this program follows no such key by itself, as with the network, which root sets */
export function overrideEffect(key: string, value: unknown): OverrideEffect | undefined {
  if (key === 'logLevel') return { kind: 'logLevel', level: value };
  if (key === 'testMode') return { kind: 'testMode', on: value === true };
  if (key === 'fallbackNumber') return { kind: 'fallbackNumber', number: value };
  if (!key.startsWith(SERVICE)) return undefined;
  return { kind: 'service', name: key.slice(SERVICE.length), paused: value === 'paused' };
}
