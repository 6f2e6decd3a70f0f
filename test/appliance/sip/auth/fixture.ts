import { digestCrypto } from '#appliance/io/sip-transport/index.ts';
import {
  type Account,
  type AuthCrypto,
  Authenticator,
  type AuthSettings,
  authorize,
  chooseChallenge,
  type Decision,
  type Directory,
  type Hash,
  ha1Of,
  type RequestFacts,
  type TokenHolder,
} from '#appliance/sip/auth/index.ts';

const real = digestCrypto();

export const hash: Hash = real.hash;
export const hmac = real.hmac;

export interface Counted extends AuthCrypto {
  readonly calls: string[];
}

/** The crypto of the product, and which of it was asked for. */
export function crypto(): Counted {
  const calls: string[] = [];
  return {
    calls,
    hash: (algorithm, text) => {
      calls.push(algorithm);
      return real.hash(algorithm, text);
    },
    hmac: (text) => {
      calls.push('hmac');
      return real.hmac(text);
    },
    equal: (a, b) => {
      calls.push('equal');
      return real.equal(a, b);
    },
  };
}

export const DOMAIN = 'demo.carillon.test';
const PASSWORD = 'Z4-open-sesame';

const both = (deviceId: string) => ({
  'SHA-256': ha1Of(hash, 'SHA-256', deviceId, DOMAIN, PASSWORD),
  MD5: ha1Of(hash, 'MD5', deviceId, DOMAIN, PASSWORD),
});

const devices: Record<string, Account> = {
  'phone-1': { domain: DOMAIN, deviceId: 'phone-1', authType: 'credentials', ha1: both('phone-1') },
  'old-phone': {
    domain: DOMAIN,
    deviceId: 'old-phone',
    authType: 'credentials',
    ha1: { MD5: both('old-phone').MD5 },
  },
  'scaip-1': { domain: DOMAIN, deviceId: 'scaip-1', authType: 'deviceid' },
  'scaip-2': { domain: DOMAIN, deviceId: 'scaip-2', authType: 'deviceid' },
  'unit-9': { domain: DOMAIN, deviceId: 'unit-9', authType: 'disabled' },
  app: {
    domain: DOMAIN,
    deviceId: 'app',
    authType: 'userid',
    authorized: { invite: (to) => to.startsWith('sip:arc'), register: false },
  },
  tablet: {
    domain: DOMAIN,
    deviceId: 'tablet',
    authType: 'userid',
    authorized: { invite: (to) => to === `sip:arc-1@${DOMAIN}`, register: true, domain: DOMAIN },
  },
};

const anything = { invite: () => true, register: true };
const holders: Record<string, TokenHolder> = {
  'good.token': { domain: DOMAIN, deviceId: 'app', authorized: anything },
  'tablet.token': { domain: DOMAIN, deviceId: 'tablet', authorized: anything },
  'tablet.oldToken': {
    domain: DOMAIN,
    deviceId: 'tablet',
    authorized: { invite: () => false, register: false },
  },
};

const directory: Directory = {
  tenant: () => DOMAIN,
  device: (_domain, deviceId) => devices[deviceId],
  trunk: (_domain, claim) =>
    claim.address === '198.51.100.1' || (claim.groupId === 'g1' && claim.key === 'k1')
      ? { domain: DOMAIN, trunkId: 'trunk-1' }
      : undefined,
  bearer: (token) => holders[token],
};

export const authenticator = (settings: AuthSettings = {}, using: AuthCrypto = crypto()): Authenticator =>
  new Authenticator(directory, using, settings);

let calls = 0;

/** An ordinary REGISTER of phone-1, with these changes. */
export function facts(changes: Partial<RequestFacts> = {}): RequestFacts {
  const fromUser = changes.fromUser ?? 'phone-1';
  return {
    method: 'REGISTER',
    requestUri: `sip:${DOMAIN}`,
    destination: '',
    requestHost: DOMAIN,
    fromUser,
    fromHost: DOMAIN,
    toUser: fromUser,
    authorization: [],
    userAgent: '',
    callId: `call-${++calls}`,
    trunkGroupId: undefined,
    trunkKey: undefined,
    transport: 'UDP',
    source: '192.0.2.1',
    alarm: undefined,
    ownAlarmSession: false,
    ...changes,
  };
}

/** MESSAGE with a SCAIP alarm. */
export const alarm = (
  fromUser: string,
  cid: string | undefined,
  changes: Partial<RequestFacts> = {},
): RequestFacts =>
  facts({
    method: 'MESSAGE',
    fromUser,
    alarm: { cid },
    destination: 'scaip',
    requestUri: `sip:scaip@${DOMAIN}`,
    ...changes,
  });

export function challenges(decision: Decision): readonly string[] {
  if (decision.outcome !== 'challenged') throw new Error(`${decision.outcome}, not challenged`);
  return decision.challenges;
}

/** The same request with the challenge of `decision` answered. */
export function answered(
  asked: RequestFacts,
  decision: Decision,
  change: { password?: string; username?: string; count?: number; which?: number } = {},
): RequestFacts {
  const challenge = chooseChallenge(challenges(decision).slice(change.which ?? 0));
  if (!challenge.ok) throw new Error(challenge.error.reason);
  const login = { username: change.username ?? asked.fromUser, password: change.password ?? PASSWORD };
  const request = { method: asked.method, uri: asked.requestUri };
  const value = authorize(hash, challenge.value, login, request, {
    count: change.count ?? 1,
    cnonce: '0a4f113b',
  });
  return { ...asked, authorization: [value] };
}
