import { fail, ok, type Result } from '#shared/result.ts';
import { claimCodeFault, claimCodeFaultText, typedClaimCode } from '../claim-code.ts';

/** An endpoint that speaks S3, and who we are there. */
export interface ObjectStorage {
  /** `https://host[:port]`; buckets are the first part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  /** Beginning of every key; `{domain}` stands for the tenant. Absent: keys are as they are asked for. */
  readonly prefix?: string;
  /** The bucket of the control plane itself. Absent: what is its own lies in its folder. */
  readonly bucket?: string;
}

/** An address to listen on. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** One listener at several addresses; `host` and `port` are of the first, by which it is known. */
export interface Listens extends Listen {
  /** The first among them. */
  readonly all: readonly Listen[];
}

const wrong = (reason: string) => fail('configurationWrong', reason);

export const text = (written: string): Result<string> =>
  written === '' ? wrong('is empty; write a value or leave it out') : ok(written);

/** A claim code, the one to type or the long one, as it was meant. */
export function claimCode(written: string): Result<string> {
  const fault = claimCodeFault(written);
  return fault === undefined
    ? ok(typedClaimCode(written))
    : wrong(`is not what it should be. ${claimCodeFaultText(fault)}`);
}

/** `127.0.0.1:8080`, `[::1]:8080`; ports 0 to 65535, 0 = any free port. */
export function listen(written: string): Result<Listen> {
  const colon = written.lastIndexOf(':');
  const host = written.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = portOf(written.slice(colon + 1));
  if (colon < 1 || !/^[\w.:%-]+$/.test(host) || port === undefined) {
    return wrong(`"${written}" is not ADDRESS:PORT; write for example 127.0.0.1:8080`);
  }
  return ok({ host, port });
}

/**
 * `0.0.0.0:5060,[::]:5060`: one or several as `listen`, each once. A host of both families names both: what listens on `0.0.0.0`
 * hears no IPv6.
 */
export function listens(written: string): Result<Listens> {
  const [first = '', ...others] = written.split(',').map((part) => part.trim());
  const known = listen(first);
  if (!known.ok) return known;
  const all = [known.value];
  for (const each of others) {
    const more = listen(each);
    if (!more.ok) return more;
    const { host, port } = more.value;
    if (port !== 0 && all.some((is) => is.host === host && is.port === port))
      return wrong(`"${each}" stands there twice`);
    all.push(more.value);
  }
  return ok({ ...known.value, all });
}

/** As `listens`; an empty text switches them off. */
export const listensOrOff = (written: string): Result<Listens | 'off'> =>
  written === '' ? ok('off' as const) : listens(written);

/** `20000-23999`, both ends included, the first one even: RTP takes even ports, RTCP the next (RFC 3550 11). */
export function portRange(written: string): Result<{ readonly first: number; readonly last: number }> {
  const [from, to, rest] = written.split('-');
  const first = portOf(from ?? '');
  const last = portOf(to ?? '');
  if (first === undefined || last === undefined || rest !== undefined || first >= last || first % 2 !== 0) {
    return wrong(`"${written}" is not a port range; write for example 20000-23999, first port even`);
  }
  return ok({ first, last });
}

/** An address without a path: `https://cloud.example` or, on loopback, `http://127.0.0.1:8080`. */
export function webAddress(written: string): Result<string> {
  if (!URL.canParse(written)) return wrong(`"${written}" is not a web address; write https://host[:port]`);
  const url = new URL(written);
  const loopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    return wrong(`"${written}" must start with https://; plain http is taken on loopback only`);
  }
  return ok(written.replace(/\/+$/, ''));
}

/** `https://KEYID:SECRET@host[:port][/?region=…&prefix=…]`, both percent-encoded; plain http on loopback only. */
export function objectStorage(written: string): Result<ObjectStorage> {
  const example = 'write https://KEYID:SECRET@host[:port]/?region=REGION&prefix={domain}/&bucket=BUCKET';
  if (!URL.canParse(written)) return wrong(`is no web address; ${example}`);
  const url = new URL(written);
  const endpoint = webAddress(url.origin);
  if (!endpoint.ok) return endpoint;
  if (url.username === '' || url.password === '') return wrong(`has no key id or no secret; ${example}`);
  if (url.pathname !== '/' || url.hash !== '')
    return wrong(`has a path: buckets are named elsewhere; ${example}`);
  const prefix = url.searchParams.get('prefix');
  const unknownPart = [...url.searchParams.keys()].find(
    (name) => !['region', 'prefix', 'bucket'].includes(name),
  );
  if (unknownPart !== undefined) return wrong(`has the unknown part ${unknownPart}; ${example}`);
  if (prefix !== null && !/^[A-Za-z0-9_./{}-]{1,200}$/.test(prefix))
    return wrong('has a prefix with other signs than letters, digits, - _ . / and {domain}');
  const bucket = url.searchParams.get('bucket');
  if (bucket !== null && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return wrong('has a bucket that is not 3 to 63 of a-z, 0-9, - and .');
  try {
    return ok({
      endpoint: endpoint.value,
      ...(bucket !== null && { bucket }),
      ...(prefix !== null && { prefix }),
      // The region name of most storages other than Amazon's own.
      region: url.searchParams.get('region') ?? 'us-east-1',
      keyId: decodeURIComponent(url.username),
      secret: decodeURIComponent(url.password),
    });
  } catch {
    return wrong(`has a % that begins no character; ${example}`);
  }
}

export const oneOf =
  <Choice extends string>(...choices: readonly Choice[]) =>
  (written: string): Result<Choice> => {
    const choice = choices.find((each) => each === written);
    return choice === undefined ? wrong(`"${written}" is none of ${choices.join(', ')}`) : ok(choice);
  };

/** A name that stands in ids and topics: `[a-z0-9-]{1,63}`. */
export const label = (written: string): Result<string> =>
  /^[a-z0-9-]{1,63}$/.test(written)
    ? ok(written)
    : wrong(`"${written}" must be 1 to 63 characters of a-z, 0-9 and -`);

/** `127.0.0.0/8,::1/128`; an empty text is an empty list. */
export function networks(written: string): Result<readonly string[]> {
  const list = written
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const bad = list.find((each) => !/^[0-9a-fA-F.:]+\/\d{1,3}$/.test(each));
  return bad === undefined
    ? ok(list)
    : wrong(`"${bad}" is not a network; write for example 192.168.0.0/16 (several with commas)`);
}

/** Host names in lower case, several with commas; `*.` in front stands for every name below. */
export function serviceNames(written: string): Result<readonly string[]> {
  const list = written
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  const bad = list.find((each) => !/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(each));
  return bad === undefined
    ? ok(list)
    : wrong(`"${bad}" is not a host name; write for example push.example.com or *.push.example.com`);
}

/** As `networks`, each with an address and a length that exist; the network of all addresses is refused. */
export function proxyNetworks(written: string): Result<readonly string[]> {
  const list = networks(written);
  if (!list.ok) return list;
  const bad = list.value.find((each) => !isNetwork(each));
  if (bad !== undefined)
    return wrong(`"${bad}" is not a network; write for example 192.168.0.0/16 (several with commas)`);
  const all = list.value.find((each) => each.endsWith('/0'));
  return all === undefined
    ? list
    : wrong(
        `"${all}" would trust every caller; name the addresses of the load balancers, such as 10.0.0.4/32`,
      );
}

function isNetwork(written: string): boolean {
  const [address = '', length = ''] = written.split('/');
  if (!address.includes(':'))
    return Number(length) <= 32 && /^\d/.test(address) && hostOf(address) === address;
  return Number(length) <= 128 && hostOf(`[${address}]`) !== undefined;
}

/** As a web address would have it; undefined = it may not stand there. */
const hostOf = (address: string): string | undefined =>
  URL.canParse(`http://${address}`) ? new URL(`http://${address}`).hostname : undefined;

/** `sqlite:FILE` or `postgres://…`. */
export const database = (written: string): Result<string> =>
  /^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(written)
    ? ok(written)
    : wrong(`"${written}" is neither sqlite:FILE nor postgres://…`);

/** More brokers than this would cost each owner of shards more connections than they are worth. */
const MOST_BROKERS = 8;

/** `embedded`, or the addresses of external brokers as `brokerAddresses`. */
export const brokers = (written: string): Result<'embedded' | readonly string[]> =>
  written === 'embedded'
    ? ok(written)
    : !/^mqtts?:\/\/.+/.test(written)
      ? wrong(`"${written}" is neither embedded nor mqtt://… nor mqtts://…`)
      : brokerAddresses(written);

/**
 * `mqtts://mqtt-1.example:8883,mqtts://mqtt-2.example:8883`: each broker once. A comma inside of a user name or password stays
 * what it is: only one in front of a scheme begins another address.
 */
export function brokerAddresses(written: string): Result<readonly string[]> {
  const example = 'write mqtts://HOST:PORT, several with commas';
  const all: string[] = [];
  const seen = new Set<string>();
  for (const each of written.split(/,\s{0,9}(?=mqtts?:\/\/)/)) {
    const url = URL.canParse(each) ? new URL(each) : undefined;
    // The text is not repeated: a password may stand in it.
    if (url === undefined || !/^mqtts?:$/.test(url.protocol) || !/^[\w.:[\]-]+$/.test(url.hostname))
      return wrong(`has a part ${all.length + 1} that is no address of a broker; ${example}`);
    if (seen.has(url.host)) return wrong(`names the broker ${url.host} twice; name each broker once`);
    seen.add(url.host);
    all.push(each);
  }
  return all.length > MOST_BROKERS
    ? wrong(`names ${all.length} brokers; name at most ${MOST_BROKERS}`)
    : ok(all);
}

/** So many each second, and that many at once. */
export interface CallRate {
  readonly perS: number;
  readonly burst: number;
}

/** The rates of one address, and of everybody together. */
export interface CallRates {
  readonly source: CallRate;
  readonly tenant: CallRate;
}

/** `source=100/500,tenant=250/1000`: calls a second, and calls at once. */
export const callRates = (written: string): Result<CallRates> =>
  rates(written, 'new calls', 'source=100/500,tenant=250/1000 (calls a second / calls at once, 1 to 100000)');

/** `source=1/200,tenant=5/400`: alarms a second, and alarms at once. */
export const alarmRates = (written: string): Result<CallRates> =>
  rates(written, 'alarms', 'source=1/200,tenant=5/400 (alarms a second / alarms at once, 1 to 100000)');

function rates(written: string, whose: string, example: string): Result<CallRates> {
  const known = new Map<string, CallRate>();
  for (const each of written.split(',')) {
    const [, name = '', perS, burst] =
      /^\s{0,9}(source|tenant)=(\d{1,6})\/(\d{1,6})\s{0,9}$/.exec(each) ?? [];
    const rate = { perS: Number(perS), burst: Number(burst) };
    const fits = [rate.perS, rate.burst].every((count) => count >= 1 && count <= 100_000);
    if (name === '' || known.has(name) || !fits)
      return wrong(`"${each}" is not a rate of ${whose}; write for example ${example}`);
    known.set(name, rate);
  }
  const [source, tenant] = [known.get('source'), known.get('tenant')];
  return source === undefined || tenant === undefined
    ? wrong(`"${written}" must name both, source and tenant; write for example ${example}`)
    : ok({ source, tenant });
}

function portOf(written: string): number | undefined {
  if (!/^\d{1,5}$/.test(written)) return undefined;
  const port = Number(written);
  return port <= 65_535 ? port : undefined;
}

/**
 * `north-2=10.0.0.6:8446`, several with commas: where the hosts of the site speak with each other, by name. A host that stands there
 * with several addresses, as of both families, is tried at one after the other.
 */
export function hosts(written: string): Result<Readonly<Record<string, readonly string[]>>> {
  const known: Record<string, readonly string[]> = {};
  for (const each of written.split(',')) {
    const [name = '', at = ''] = each.trim().split('=');
    if (!label(name).ok || !listen(at).ok) {
      return wrong(`"${each}" is not HOST=ADDRESS:PORT; write for example north-2=10.0.0.6:8446`);
    }
    const before = known[name] ?? [];
    if (before.includes(at)) return wrong(`"${each.trim()}" stands there twice`);
    known[name] = [...before, at];
  }
  return ok(known);
}
