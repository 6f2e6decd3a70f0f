import { fail, ok, type Result } from '../result.ts';
import {
  AUTHORIZED_LIFE_S,
  type AuthorizeRequest,
  DEVICE_TOKEN_TYP,
  type DeviceTokenClaims,
} from './device-token.ts';
import { LoginAttempts, type LoginTries, type OnLocked } from './login-attempts.ts';

/** The fields of a provisioned device that its sign-in needs. */
export interface AuthorizedDevice {
  readonly authType: string;
  /** argon2id in PHC form. */
  readonly passwordHash?: string | undefined;
  readonly authorized?: DeviceTokenClaims['authorized'] | undefined;
}

export interface AuthorizePort {
  /** The issuer that signs: `{base_url}` of the cloud, or `siteBaseUrl`. */
  readonly issuer: string;
  readonly findDevice: (domain: string, deviceId: string) => Promise<AuthorizedDevice | undefined>;
  /** False for no stored text too, after the same time. */
  readonly verifyPassword: (password: string, stored: string | undefined) => Promise<boolean>;
  /** Compact JWS, EdDSA, with `typ` and `kid` in its header. */
  readonly sign: (typ: string, claims: DeviceTokenClaims) => Promise<string>;
  /** Where wrong passwords are counted; absent: in the memory of this process. */
  readonly tries?: (onLocked: OnLocked) => LoginTries;
  /** Resolves after so many ms; absent: at once. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Wrong passwords of a `userid` device came from this address, and it is locked there now. */
  readonly onLocked?: (domain: string, deviceId: string, source: string, nowMs: number) => void;
}

/** `expiresAt` in epoch milliseconds. */
export type AuthorizeDevice = (
  request: AuthorizeRequest,
  nowMs: number,
  /** Address of who asks. */
  source: string,
) => Promise<Result<{ token: string; expiresAt: number }>>;

/**
 * `POST /authorize`. Fails with `unauthorized` for an unknown tenant, an unknown device, another authType and a wrong
 * password alike, in words and in time; with `tooManyRequests` and `retryAfterS` after five of them from one network.
 */
export function createAuthorize(port: AuthorizePort): AuthorizeDevice {
  const isDevice = async (domain: string, deviceId: string): Promise<boolean> =>
    (await port.findDevice(domain, deviceId))?.authType === 'userid';
  const onLocked: OnLocked = ({ name, source }, atMs) => {
    const [domain = '', deviceId = ''] = JSON.parse(name) as string[];
    isDevice(domain, deviceId).then(
      (isOurs) => isOurs && port.onLocked?.(domain, deviceId, source, atMs),
      () => undefined,
    );
  };
  const tries = port.tries?.(onLocked) ?? new LoginAttempts(onLocked);
  return async ({ domain, deviceId, password }, nowMs, source) => {
    const one = { name: JSON.stringify([domain, deviceId]), source };
    const free = await tries.begin(one, nowMs);
    if (!free.ok) return free;
    if (free.value.delayMs > 0) await port.wait?.(free.value.delayMs);
    const device = await port.findDevice(domain, deviceId);
    const stored = device?.authType === 'userid' ? device.passwordHash : undefined;
    if (!(await port.verifyPassword(password, stored)) || device === undefined)
      return fail('unauthorized', 'The tenant, the device or its password is not right.');
    await tries.right(one, nowMs);
    const iat = Math.floor(nowMs / 1000);
    const exp = iat + AUTHORIZED_LIFE_S;
    const { authorized = {} } = device;
    const claims = { iss: port.issuer, domain, sub: deviceId, authorized, iat, exp };
    return ok({ token: await port.sign(DEVICE_TOKEN_TYP, claims), expiresAt: exp * 1000 });
  };
}
