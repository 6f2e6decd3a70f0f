import { isSip, type NameAddr, type SipResponse } from '../../../sip/message/index.ts';
import type { ActiveCall } from '../active-call/active-call.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import type { CallTarget, TargetGroups } from '../target/target-resolver.ts';
import type { Onward } from './onward.ts';

/** Answers that name others to be called instead. 380 names another service, and whether that will do is not ours to say. */
const REDIRECTIONS: ReadonlyMap<number, string> = new Map([
  [300, 'unknown'],
  [301, 'unconditional'],
  [302, 'deflection'],
]);
const USE_PROXY = 305;
const ALTERNATIVE = 380;
/** Chosen: so often may one call be sent on, and so many contacts of one answer are looked at. */
const MOST_REDIRECTIONS = 5;
const MOST_CONTACTS = 10;

interface Followed {
  times: number;
  /** Everybody who was called in this call. */
  readonly called: Set<string>;
}

/**
 * Follows 3xx answers to calls of ours (RFC 3261 8.1.3.4): the contacts by their q, those of the same q together, each once
 * in a call. Whom the peer may name is `Onward`'s. Chosen: of a Contact the address alone is taken, never the header fields
 * it would like to see in our INVITE (19.1.5); Diversion (RFC 5806) names the redirected party.
 */
export class RedirectFollower {
  readonly #onward: Onward;
  readonly #followed = new WeakMap<ActiveCall, Followed>();

  constructor(onward: Onward) {
    this.#onward = onward;
  }

  /** Each dialled target counts as called, by name and by address. */
  dialled(call: ActiveCall, target: CallTarget): void {
    const { called } = this.#of(call);
    called.add(keyOf(target));
    called.add(target.uri.toLowerCase());
  }

  /** Whom the answer leads to; empty: it is a failure like any other. */
  groups(call: ActiveCall, leg: SipLeg, target: CallTarget, response: SipResponse): TargetGroups {
    const { status, contacts } = response;
    const why = REDIRECTIONS.get(status);
    const tell = (text: string): void => call.trace.add('note', { text: `${leg.name} redirects: ${text}` });
    if (status === ALTERNATIVE)
      tell(`to another service, ${response.header('Contact') ?? 'which it does not name'}`);
    if ((why === undefined && status !== USE_PROXY) || !contacts.ok) return [];
    const followed = this.#of(call);
    if (followed.times >= MOST_REDIRECTIONS) {
      tell(`this call was sent on ${MOST_REDIRECTIONS} times, it is not followed`);
      return [];
    }
    if (why === undefined) return this.#byProxy(call, leg, target, contacts.value, tell);
    const diversion: [string, string][] = [['Diversion', `<${target.to}>;reason=${why}`]];
    const headers = call.origin.hidden && !target.trusted ? [] : diversion;
    const groups = byLiking(contacts.value.slice(0, MOST_CONTACTS)).map((names) =>
      names.flatMap((name) => {
        const uri = addressIn(name);
        const named = uri === undefined ? [] : this.#onward.groups(call, leg, uri, '3xx').flat();
        const fresh = named.filter((each) => !followed.called.has(keyOf(each)));
        tell(
          fresh.length > 0
            ? `to ${uri}`
            : `${name.uriText} is no party that it may name, or was called before`,
        );
        for (const each of fresh) followed.called.add(keyOf(each));
        return fresh.map((each) => ({ ...each, headers: [...headers, ...(each.headers ?? [])] }));
      }),
    );
    const found = groups.filter((group) => group.length > 0);
    if (found.length > 0) followed.times++;
    return found;
  }

  /** The same callee, but by a proxy that it names (RFC 3261 21.3.4); its place is bound by the same rule. */
  #byProxy(
    call: ActiveCall,
    leg: SipLeg,
    target: CallTarget,
    [contact]: readonly NameAddr[],
    tell: (text: string) => void,
  ): TargetGroups {
    const followed = this.#of(call);
    const proxy = contact && addressIn(contact);
    const [place] = proxy === undefined ? [] : this.#onward.groups(call, leg, proxy, '3xx').flat();
    const key = `${target.uri} by ${proxy}`.toLowerCase();
    const usable = place !== undefined && place.deviceId === undefined && place.inside !== true;
    if (proxy === undefined || !usable || followed.called.has(key)) {
      tell(`${proxy ?? 'an address that cannot be read'} is no proxy that it may name, or was tried before`);
      return [];
    }
    tell(`it is to be called by the proxy ${proxy}`);
    followed.called.add(key);
    followed.times++;
    const { flow, login, report } = place;
    const route = `<${proxy}${/;lr(?:[;=]|$)/i.test(proxy) ? '' : ';lr'}>`;
    return [[{ ...target, routes: [route], follows: true, flow, login, report }]];
  }

  #of(call: ActiveCall): Followed {
    const known = this.#followed.get(call) ?? { times: 0, called: new Set<string>() };
    this.#followed.set(call, known);
    return known;
  }
}

/** A device is one callee, however many contacts it has. */
const keyOf = ({ deviceId, uri }: CallTarget): string =>
  deviceId === undefined ? uri.toLowerCase() : `device ${deviceId}`;

/** Best first; without q it is liked best (RFC 3261 20.10 leaves it open). */
function byLiking(contacts: readonly NameAddr[]): NameAddr[][] {
  const groups = Map.groupBy(contacts, (contact) => likingOf(contact.parameter('q')));
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group);
}

function likingOf(q: string | undefined): number {
  return q !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 1;
}

/** Without its header fields; undefined: it is no address that an INVITE can be sent to. */
function addressIn({ uri, uriText }: NameAddr): string | undefined {
  if (!uri.ok) return undefined;
  if (!isSip(uri.value)) return 'number' in uri.value ? uriText : undefined;
  const method = uri.value.parameters.find(({ name }) => name === 'method')?.raw ?? 'INVITE';
  return method.toUpperCase() === 'INVITE' ? uriText.split('?')[0] : undefined;
}
