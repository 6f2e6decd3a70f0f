import { readAddressUser } from '#shared/address-user.ts';
import type { ReplicatedMediaService } from '#shared/contract/provisioning/index.ts';
import { addressFields, type CallOrigin, type DialPlan, ORDINARY_POLICY } from '../../control/index.ts';
import type { DialWords } from '../../media-session/index.ts';
import { escaped, type Fields } from '../../session/index.ts';

/** A SIP or tel URI, user@host, or a number or name of the tenant; no other scheme, no white space, no second part. */
const ADDRESS =
  /^(?:(?:sips?|tel):|(?![a-z][a-z\d+.-]{0,32}:\D))[^\s@<>"\\]{1,256}(?:@[^\s@<>"\\]{1,256})?$/i;
/** Chosen: 60 s, after which a person who waits should hear something else. */
const RING_S = 60;

export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** User part of an address, or a number as it stands. */
export const userOf = (address: string): string =>
  addressFields(address)?.user ?? readAddressUser(address)?.user ?? address;

/** The shown caller when the application names none. */
export interface ShownCaller {
  readonly user: string;
  readonly display: string;
  /** Max-Forwards of its own call: a call that goes round comes to an end (RFC 7332). */
  readonly hopsLeft?: number;
}

/** How the words of an application name a party to call (media document 2.4). */
export interface Dialled {
  readonly origin: CallOrigin;
  readonly plan: DialPlan;
  readonly ringMs: number;
}

export function dialled(
  words: DialWords,
  service: ReplicatedMediaService,
  shown: ShownCaller,
  domain: string,
): Dialled {
  const { sipFrom, displayName, callerPrivacy, sipPAI, sipRPID, maxRingTime = RING_S } = words;
  const asserted: Fields = [
    ...(sipPAI === undefined ? [] : [['P-Asserted-Identity', addressField(sipPAI, domain)] as const]),
    ...(sipRPID === undefined ? [] : [['Remote-Party-ID', addressField(sipRPID, domain)] as const]),
  ];
  return {
    origin: {
      display: displayName ?? (sipFrom === undefined ? shown.display : ''),
      user: sipFrom === undefined ? shown.user : String(sipFrom),
      host: service.fromDomain ?? domain,
      hidden: callerPrivacy === true,
      // An identity that the application gives stands in place of ours (RFC 3325); trunks alone get it.
      trusted: sipPAI !== undefined,
      byApplication: true,
      fields: [...headerFields(words), ...diversion(words, domain), ...asserted],
      hopsLeft: shown.hopsLeft ?? 70,
      ...toward(words, domain),
    },
    plan: {
      policy: { ...ORDINARY_POLICY, codecs: service.codecs },
      relay: {},
      straight: false,
      trunkGroupId: undefined,
      mayReachServices: true,
    },
    ringMs: Math.round(maxRingTime * 1_000),
  };
}

/** `a:b` per line; control characters never reach the wire. */
function headerFields({ xHeaders, pHeaders }: DialWords): Fields {
  return [...Object.entries(xHeaders ?? {}), ...Object.entries(pHeaders ?? {})].flatMap(([name, value]) =>
    [value].flat().map((line): [string, string] => [name, plain(line)]),
  );
}

function diversion({ sipDiversion, sipDiversionParameters }: DialWords, domain: string): Fields {
  if (sipDiversion === undefined) return [];
  return [['Diversion', addressField(sipDiversion, domain) + parameters(sipDiversionParameters, ';')]];
}

function toward(words: DialWords, domain: string): Pick<CallOrigin, 'to' | 'contact'> {
  const { sipTo, contactParameters, contactUserParameters } = words;
  return {
    ...(sipTo !== undefined && { to: uriOf(sipTo, domain) }),
    ...((contactParameters ?? contactUserParameters) !== undefined && {
      contact: { user: parameters(contactUserParameters, ';'), field: parameters(contactParameters, ';') },
    }),
  };
}

function parameters(named: DialWords['contactParameters'], sign: string): string {
  return Object.entries(named ?? {})
    .filter(([, value]) => value !== false)
    .map(
      ([name, value]) => sign + name + (value === null || value === true ? '' : `=${token(String(value))}`),
    )
    .join('');
}

const uriOf = (address: string | number, domain: string): string => {
  const text = plain(String(address));
  if (/^(?:sips?|tel):/i.test(text)) return text.replaceAll(/[<>"\s]/g, '');
  return text.includes('@') ? `sip:${text.replaceAll(/[<>"\s]/g, '')}` : `sip:${escaped(text)}@${domain}`;
};
const addressField = (address: string | number, domain: string): string => `<${uriOf(address, domain)}>`;

const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ').trim();
/** Values of parameters that are no token (RFC 3261 25.1) are quoted percent-wise, as in a URI. */
const token = (text: string): string => text.replaceAll(/[^A-Za-z0-9\-.!%*_+`'~:[\]]/gu, encodeURIComponent);
