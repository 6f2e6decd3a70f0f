import { fail, ok, type Result } from '../../result.ts';
import { isRecord, SECRET_PLACEHOLDER } from './field.ts';

/** Where secrets stand in a resource; `*` = each entry of a list, an expression = each member whose name it finds. */
type SecretPath = readonly (string | RegExp)[];

const IN_AUTHENTICATION: SecretPath = ['restAuthentication', '*', 'secret'];
const IN_CALL_LIST: SecretPath = ['emergencyCallList', 'steps', '*', 'entries', '*', 'pin'];

/** Names of request headers that carry a credential. */
const CREDENTIAL_HEADER = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?key|token|secret|password)$/i;

/**
 * Headers of callbacks with a credential of their own. Chosen: answers and the audit log show the placeholder, and the value is not
 * sealed: a host opens sealed members by their name, and an older one would send the sealed text to the application.
 */
const IN_HEADERS: SecretPath = ['restAuthentication', '*', 'requestHeaders', CREDENTIAL_HEADER];

/** Secrets of each resource of this contract. */
const SECRET_PATHS = {
  alarmBridge: [IN_AUTHENTICATION, IN_HEADERS, IN_CALL_LIST, ['dc09', 'key']],
  alarmEventMapper: [
    ['targetEndpoint', 'sipAuthPassword'],
    ['targetEndpoint', 'trunkKey'],
    ['targetEndpoint', 'dc09', 'key'],
    ['targetEndpoint', 'backupEndpoint', 'backupSipAuthPassword'],
    ['targetEndpoint', ...IN_AUTHENTICATION],
    ['targetEndpoint', ...IN_HEADERS],
  ],
  cloudSipUa: [IN_AUTHENTICATION, IN_HEADERS],
  trunk: [['password'], ['trunkKey']],
  mediaService: [IN_AUTHENTICATION, IN_HEADERS],
  recordingService: [IN_AUTHENTICATION, IN_HEADERS],
  protocolProfile: [],
  // `digest` and `passwordHash` are what is stored of `ha1` and `password`.
  device: [
    ['password'],
    ['ha1'],
    ['digest'],
    ['passwordHash'],
    ['serviceData', 'alarmBridge', 'dc09', 'key'],
    ['serviceData', 'alarmBridge', ...IN_CALL_LIST],
  ],
  notificationSettings: [IN_AUTHENTICATION, IN_HEADERS],
} as const satisfies Record<string, readonly SecretPath[]>;

export type SecretResource = keyof typeof SECRET_PATHS;

/** Random text beside the secrets of a row: its hash travels in the clear, and must not let a weak secret be guessed. */
export const HASH_SALT = 'hashSalt';

/** Names of all members that hold a secret in any resource: what is sealed at rest, and on its way to the sites. */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  ...Object.values<readonly SecretPath[]>(SECRET_PATHS).flatMap((paths) =>
    paths.flatMap((path) => path.slice(-1)).filter((step) => typeof step === 'string'),
  ),
  HASH_SALT,
]);

/**
 * The same body where it holds no secret, else a copy along the way to each. Secrets are known by the name of their
 * member, wherever it stands, and not by its path: what is sealed without need opens again as it was, what is forgotten
 * lies open.
 */
export function mapSecrets<T>(body: T, replace: (value: unknown) => unknown): T {
  if (typeof body !== 'object' || body === null) return body;
  let copy: Record<string, unknown> | undefined;
  const source = body as Record<string, unknown>;
  for (const name of Object.keys(source)) {
    const value = source[name];
    const holds = SECRET_MEMBERS.has(name) && value !== null && value !== undefined;
    const next = holds ? replace(value) : mapSecrets(value, replace);
    if (next === value) continue;
    copy ??= (Array.isArray(source) ? [...source] : { ...source }) as Record<string, unknown>;
    copy[name] = next;
  }
  return (copy ?? body) as T;
}

/** The resource as answers show it: every secret replaced by the placeholder. The input is not changed. */
export function maskSecrets<T>(resource: SecretResource, document: T): T {
  let masked: unknown = document;
  for (const path of SECRET_PATHS[resource]) {
    masked = replaceAt(masked, path, '', () => SECRET_PLACEHOLDER);
  }
  return masked as T;
}

/**
 * Puts the stored secret where `document` has the placeholder. An entry of a list takes its secret from the
 * stored entry with the same `sub`, `scope`, `type` and `destination`, else from the one at the same place. Fails with
 * `secretUnknown` and its JSON pointer when nothing is stored there.
 */
export function keepSecrets<T>(resource: SecretResource, document: T, stored: unknown): Result<T> {
  let missing: string | undefined;
  let kept: unknown = document;
  for (const path of SECRET_PATHS[resource]) {
    kept = replaceAt(kept, path, '', (value, pointer, entry) => {
      if (value !== SECRET_PLACEHOLDER) return value;
      const secret = storedSecret(stored, pointer, entry);
      if (secret === undefined) missing ??= pointer;
      return secret ?? value;
    });
  }
  if (missing === undefined) return ok(kept as T);
  return fail(
    'secretUnknown',
    `${missing}: no secret is stored that "${SECRET_PLACEHOLDER}" could keep`,
    missing,
  );
}

/** `entry`: the entry of a list that the secret is in; undefined: it is in none. */
type Replace = (value: unknown, pointer: string, entry: unknown) => unknown;

function replaceAt(
  node: unknown,
  path: SecretPath,
  pointer: string,
  replace: Replace,
  entry?: unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === '*' && Array.isArray(node)) {
    return node.map((each, index) => replaceAt(each, rest, `${pointer}/${index}`, replace, each));
  }
  if (step === undefined || !isRecord(node)) return node;
  const names = typeof step === 'string' ? [step] : Object.keys(node).filter((name) => step.test(name));
  const found = names.filter((name) => node[name] !== undefined);
  if (found.length === 0) return node;
  const replaced = found.map((name) => {
    const here = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const value =
      rest.length === 0
        ? replace(node[name], here, entry)
        : replaceAt(node[name], rest, here, replace, entry);
    return [name, value] as const;
  });
  return { ...node, ...Object.fromEntries(replaced) };
}

function storedSecret(stored: unknown, pointer: string, entry: unknown): string | undefined {
  const parts = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let node: unknown = stored;
  for (const part of parts) {
    if (Array.isArray(node)) node = node.find((each) => sameCredential(each, entry)) ?? node[Number(part)];
    else node = isRecord(node) ? node[part] : undefined;
  }
  return typeof node === 'string' ? node : undefined;
}

/** A credential is known by its claims, an entry of a call list by its destination; what names neither, by its place. */
function sameCredential(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return false;
  const named = IDENTITY.filter((name) => one[name] !== undefined || other[name] !== undefined);
  return named.length > 0 && named.every((name) => one[name] === other[name]);
}

const IDENTITY = ['sub', 'scope', 'type', 'destination'] as const;
