/** Where a call goes. */
export type Route =
  /** An alarm bridge: tones or speech of an alarm. */
  | { readonly kind: 'receiver'; readonly id: string; readonly user: string }
  /**
   * A program decides: a media service, a recording service, a cloud SIP user agent; or a receiver calls back whose alarm has
   * been sent. `user`: as whom it is called.
   */
  | {
      readonly kind: 'application';
      readonly service: ApplicationKind;
      readonly id: string;
      readonly user: string;
    }
  | { readonly kind: 'device'; readonly deviceId: string }
  /** By a trunk. */
  | { readonly kind: 'number'; readonly number: string; readonly trunkGroupId: string | undefined }
  /** Straight to an address outside. */
  | { readonly kind: 'address'; readonly uri: string }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string };

/** The route in words, for the trace of a call. */
export function routeText(route: Route): string {
  switch (route.kind) {
    case 'receiver':
      return `the call goes to alarm bridge ${route.id} as ${route.user}`;
    case 'application':
      return `the call goes to ${route.service} ${route.id} as ${route.user}`;
    case 'device':
      return `the call goes to device ${route.deviceId}`;
    case 'number':
      return `the call goes to number ${route.number}`;
    case 'address':
      return `the call goes to ${route.uri}`;
    case 'refused':
      return `the call is refused: ${route.status} ${route.text}`;
  }
}

export type ApplicationKind = 'mediaservice' | 'callrecording' | 'cloudsipua' | 'sending';

/** The caller. */
export type Caller =
  /** Its permission to call (`authorized.invite`) was checked together with its identity. */
  | { readonly kind: 'device'; readonly deviceId: string; readonly trunkGroupId: string | undefined }
  | { readonly kind: 'trunk'; readonly trunkId: string }
  /** A call of ours: an alarm that is joined with people, a transfer, an operation. */
  | { readonly kind: 'own'; readonly trunkGroupId: string | undefined };

export interface RouteQuestion {
  readonly caller: Caller;
  /** User part of the Request-URI, or the number of a tel URI. */
  readonly user: string;
  /** Host part; '' of a tel URI. */
  readonly host: string;
  /** Port of the address; absent: that of the transport. */
  readonly port?: number | undefined;
  /** The Request-URI as it stands. */
  readonly uri: string;
  /** Max-Forwards of the request. */
  readonly hopsLeft: number;
  /** Our own Via stands in the request: it was here before. */
  readonly cameBack: boolean;
  /** May a call of ours end at a receiver or service of ours (`enforceIvrDestination`)? Callers from outside may. */
  readonly mayReachServices: boolean;
}

/** Whom routing asks; every answer from memory. */
export interface RouteDirectory {
  /** Does this host name mean us: the tenant, our address? */
  readonly isHere: (host: string) => boolean;
  /** Does this port of our own address belong to another program? */
  readonly isNeighbour: (host: string, port: number) => boolean;
  readonly device: (user: string) => string | undefined;
  /** Whose alarms come by call. */
  readonly receiver: (user: string) => string | undefined;
  /** The receiver of this user's alarms, which takes a call without a callee as an event by itself. */
  readonly strayReceiver: (user: string) => string | undefined;
  readonly application: (
    user: string,
  ) => { readonly service: ApplicationKind; readonly id: string } | undefined;
  /** Is there a trunk that takes this number? */
  readonly takesNumber: (number: string, trunkGroupId: string | undefined) => boolean;
}

/** A number as people dial it, with the signs they put between (RFC 3966 3). */
const NUMBER = /^\+?[0-9*#][0-9*#().-]{0,63}$/;

/*
 * One look at each, in this order; the first that knows the destination has it:
 *
 *   loop ─▶ 482; hops used up and not at a receiver or application ─▶ 483
 *   user part ── device of the tenant ── receiver of calls ── application ── number that a trunk takes ── any receiver
 *     ── another port of our own address, and the call is ours or a device's ─▶ that address ── else 404
 *   another host, and the call is ours or a device's ─▶ that address
 */
export function routeOf(question: RouteQuestion, directory: RouteDirectory): Route {
  const { user, host, hopsLeft, cameBack } = question;
  if (cameBack) return refused(482, 'this call was here before');
  if (hopsLeft <= 0) return atItsEnd(question, directory);
  if (host !== '' && !directory.isHere(host)) return outside(question);
  const deviceId = directory.device(user);
  if (deviceId !== undefined) return { kind: 'device', deviceId };
  return (
    service(question, directory) ??
    number(question, directory) ??
    stray(question, directory) ??
    neighbour(question, directory) ??
    refused(404, noUser(question))
  );
}

/**
 * A call to another program of our own machine, as a message goes there too. Chosen: last, because a device whose router maps
 * another port to ours dials that port and means us.
 */
function neighbour(question: RouteQuestion, directory: RouteDirectory): Route | undefined {
  const { caller, host, port, uri } = question;
  if (caller.kind === 'trunk' || port === undefined || !directory.isNeighbour(host, port)) return undefined;
  return { kind: 'address', uri };
}

/**
 * RFC 3261 16.3: Max-Forwards binds who sends a request on, not whom it has reached. An alarm or a caller of a program is there;
 * a call of our own is not let in, since it may be the next round of a loop.
 */
function atItsEnd(question: RouteQuestion, directory: RouteDirectory): Route {
  const { caller, user, host } = question;
  const here = (host === '' || directory.isHere(host)) && directory.device(user) === undefined;
  const reached =
    caller.kind !== 'own' && here ? (service(question, directory) ?? stray(question, directory)) : undefined;
  return reached ?? refused(483, 'Max-Forwards is used up');
}

/** Chosen: whoever is on a trunk cannot use us as a relay to anywhere. */
function outside({ caller, uri }: RouteQuestion): Route {
  return caller.kind === 'trunk'
    ? refused(404, 'this is not the domain of anybody here')
    : { kind: 'address', uri };
}

function service(question: RouteQuestion, directory: RouteDirectory): Route | undefined {
  const { user } = question;
  const id = directory.receiver(user);
  const application = id === undefined ? directory.application(user) : undefined;
  if (id === undefined && application === undefined) return undefined;
  if (isKeptOut(question)) return KEPT_OUT;
  if (id !== undefined) return { kind: 'receiver', id, user };
  return application && { kind: 'application', ...application, user };
}

/** Chosen: last, so that a wide receiver of messages takes no call from a program or trunk, and a caller never ends in silence. */
function stray(question: RouteQuestion, directory: RouteDirectory): Route | undefined {
  const { user } = question;
  const id = directory.strayReceiver(user);
  if (id === undefined) return undefined;
  return isKeptOut(question) ? KEPT_OUT : { kind: 'receiver', id, user };
}

const isKeptOut = ({ caller, mayReachServices }: RouteQuestion): boolean =>
  caller.kind === 'own' && !mayReachServices;

function number(question: RouteQuestion, directory: RouteDirectory): Route | undefined {
  const { caller, user } = question;
  if (!NUMBER.test(user)) return undefined;
  // A call that came by a trunk leaves by none: the tenant must not pay for calls of strangers.
  if (caller.kind === 'trunk') return undefined;
  const { trunkGroupId } = caller;
  return directory.takesNumber(user, trunkGroupId)
    ? { kind: 'number', number: user, trunkGroupId }
    : undefined;
}

/** Numbers of a caller that may use trunks are looked for at them, too. */
const noUser = ({ user, caller }: RouteQuestion): string =>
  NUMBER.test(user) && caller.kind !== 'trunk'
    ? `no trunk takes ${user}, and nobody here is ${user}`
    : `nobody here is ${user}`;

const refused = (status: number, text: string): Route => ({ kind: 'refused', status, text });

const KEPT_OUT = refused(482, 'a call of this service may not end at a service here (enforceIvrDestination)');
