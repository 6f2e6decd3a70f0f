/** How speech can reach the device. `ip` also by `sip-pp`, `mobile` also by `tel`. */
export interface ScaipMedium {
  readonly kind: 'none' | 'ip' | 'mobile';
  /** As sent, lower case, without the colon. */
  readonly scheme: string;
  /** Behind the colon; may be empty or half there (`gsm:+`). */
  readonly address: string;
}

const KIND: Readonly<Record<string, ScaipMedium['kind']>> = {
  'no-voice': 'none',
  sip: 'ip',
  sips: 'ip',
  'sip-pp': 'ip',
  gsm: 'mobile',
  tel: 'mobile',
};

/**
 * Reads one `crd`. An unknown scheme counts as IP: a device that names a medium wants to speak, and a SIP address is
 * one that every device of this protocol can be given.
 */
export function readMedium(crd: string): { readonly medium: ScaipMedium; readonly known: boolean } {
  const colon = crd.indexOf(':');
  const scheme = (colon === -1 ? crd : crd.slice(0, colon)).trim().toLowerCase();
  const address = colon === -1 ? '' : crd.slice(colon + 1).trim();
  const kind = Object.hasOwn(KIND, scheme) ? KIND[scheme] : undefined;
  return { medium: { kind: kind ?? 'ip', scheme, address }, known: kind !== undefined };
}

/** Without `crd` the device speaks by SIP. */
export const DEFAULT_MEDIUM: ScaipMedium = { kind: 'ip', scheme: 'sip', address: '' };

export const wantsVoice = (media: readonly ScaipMedium[]): boolean =>
  media.some(({ kind }) => kind !== 'none');

/** The first address that is complete enough to be called back: not `gsm:` and not `gsm:+`. */
export function callableAddress(media: readonly ScaipMedium[]): string | undefined {
  const medium = media.find(({ kind, address }) => kind !== 'none' && /[A-Za-z0-9]/.test(address));
  return medium && `${medium.scheme}:${medium.address}`;
}
