import { isSip, parseUri } from '../../../sip/message/index.ts';

/** User part and host of an address to call. */
export function addressFields(uriText: string): { readonly user: string; readonly host: string } | undefined {
  const uri = parseUri(uriText);
  if (!uri.ok) return undefined;
  if (isSip(uri.value)) return { user: uri.value.user ?? '', host: uri.value.host };
  return 'number' in uri.value ? { user: uri.value.number, host: '' } : undefined;
}
