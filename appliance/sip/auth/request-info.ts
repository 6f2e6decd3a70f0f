import type { Flow } from '../endpoint/index.ts';
import { isSip, isTel, type NameAddr, type SipRequest, type Uri } from '../message/index.ts';

/** The parts of a request that authentication reads, and no others. */
export interface RequestFacts {
  readonly method: string;
  readonly requestUri: string;
  /** User part of the Request-URI. */
  readonly destination: string;
  readonly requestHost: string;
  readonly fromUser: string;
  readonly fromHost: string;
  readonly toUser: string;
  /** One entry per Authorization line, then the tokens of X-JWTAuth. */
  readonly authorization: readonly string[];
  readonly userAgent: string;
  readonly callId: string;
  readonly trunkGroupId: string | undefined;
  readonly trunkKey: string | undefined;
  readonly transport: Flow['transport'];
  /** Address of the sender as the socket saw it. */
  readonly source: string;
  /** The MESSAGE carries an alarm; `cid` is the controller it names, where the protocol has one (SCAIP). */
  readonly alarm: { readonly cid: string | undefined } | undefined;
  /** An INVITE that answers to an alarm session of this very device. */
  readonly ownAlarmSession: boolean;
}

/** Reads the facts of a request that came in over `flow`; what only the caller knows comes beside it. */
export function requestFacts(
  request: SipRequest,
  flow: Flow,
  known: Partial<Pick<RequestFacts, 'alarm' | 'ownAlarmSession'>> = {},
): RequestFacts {
  const target = addressOf(request.uri.ok ? request.uri.value : undefined);
  const from = addressOf(uriOf(request.from));
  return {
    method: request.method,
    requestUri: request.uriText,
    destination: target.user,
    requestHost: target.host,
    fromUser: from.user,
    fromHost: from.host,
    toUser: addressOf(uriOf(request.to)).user,
    authorization: [...request.headers('Authorization'), ...request.headers('X-JWTAuth').map(bearerOf)],
    userAgent: request.header('User-Agent') ?? '',
    callId: request.callId,
    trunkGroupId: request.header('X-Terminating-Trunk-Group-Id'),
    trunkKey: request.header('X-Trunk-Key'),
    transport: flow.transport,
    source: flow.remoteAddress,
    alarm: known.alarm,
    ownAlarmSession: known.ownAlarmSession ?? false,
  };
}

/** Interop: clients of a platform with the same API show their token in a field of its own, with or without the scheme. */
const bearerOf = (value: string): string => (/^bearer\s/i.test(value) ? value : `Bearer ${value}`);

const uriOf = (field: NameAddr): Uri | undefined => (field.uri.ok ? field.uri.value : undefined);

function addressOf(uri: Uri | undefined): { user: string; host: string } {
  if (uri === undefined) return NO_IDENTITY;
  if (isSip(uri)) return { user: uri.user ?? '', host: uri.host };
  return isTel(uri) ? { user: uri.number, host: '' } : NO_IDENTITY;
}

const NO_IDENTITY = { user: '', host: '' };
