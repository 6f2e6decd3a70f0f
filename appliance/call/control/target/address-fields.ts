import { isSip, parseUri } from '../../../sip/message/index.ts';

export interface AddressFields {
  readonly user: string;
  /** '' of a tel URI. */
  readonly host: string;
  readonly port?: number;
}

/** User part, host and port of an address to call. */
export function addressFields(uriText: string): AddressFields | undefined {
  const uri = parseUri(uriText);
  if (!uri.ok) return undefined;
  if (isSip(uri.value)) {
    const { user = '', host, port } = uri.value;
    return { user, host, ...(port !== undefined && { port }) };
  }
  return 'number' in uri.value ? { user: uri.value.number, host: '' } : undefined;
}
