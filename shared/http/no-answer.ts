/** Errors of connections in words, by their code in Node. A browser names no code. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens there; check address and port, and that the program runs',
  ENOTFOUND: 'its name is unknown; check the address, and DNS',
  EAI_AGAIN: 'DNS did not answer; check the network',
  ECONNRESET: 'the connection was closed; check whether the address wants https',
  ETIMEDOUT: 'the connection timed out; check network and firewall',
  EHOSTUNREACH: 'there is no route to it; check the network',
  ENETUNREACH: 'there is no route to it; check the network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out; check network and firewall',
  UND_ERR_HEADERS_TIMEOUT: 'the answer did not come in time; try again',
  UND_ERR_SOCKET: 'the connection was closed; check whether the address wants https',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; check whether the address wants http',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks no TLS; check whether the address wants http',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
    'it does not speak HTTP/1.1, which is needed; switch HTTP/1.1 on beside HTTP/2',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it takes no version of TLS that is safe (1.2 or newer); update it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted; name the authority (NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; name the authority (NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted; name the authority (NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not trusted; name the authority (NODE_EXTRA_CA_CERTS)',
  CERT_HAS_EXPIRED: 'its certificate has expired; renew it, and check the clock',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name; call it by the name in the certificate',
};

interface Caused {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly message?: unknown;
}

/** The reason why `fetch` has no answer, in words. A failed `fetch` hides it in the cause of its error. */
export function noAnswerReason(error: unknown): string {
  const chain = [...causes(error)];
  const words = chain.map(({ code }) => WORDS[String(code)]).find((found) => found !== undefined);
  if (words !== undefined) return words;
  const last = chain.at(-1)?.message;
  return typeof last === 'string' && last !== '' ? last : String(error);
}

/** The error, its cause, the cause of that; of several attempts the first. */
function* causes(error: unknown): Generator<Caused> {
  for (let at = error, depth = 0; isCaused(at) && depth < 5; depth++) {
    yield at;
    at = at.errors?.[0] ?? at.cause;
  }
}

const isCaused = (value: unknown): value is Caused => typeof value === 'object' && value !== null;
