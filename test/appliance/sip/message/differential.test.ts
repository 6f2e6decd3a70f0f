import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Core } from 'sip.js';
import { describe, expect, it } from 'vitest';
import { isSip, type NameAddr, parseMessage } from '#appliance/sip/message/index.ts';
import { pick, seeded } from '#test/fuzz/http-input.ts';

/* Our reader beside that of sip.js, which has its grammar from the ABNF of the RFC: what both take they understand alike. */
/** Its grammar takes ten milliseconds for a message. */
const MESSAGES = 500;
const quiet = new Core.LoggerFactory();
quiet.builtinEnabled = false;
const logger = quiet.getLogger('differential');

interface Party {
  readonly display: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly port: number | undefined;
  readonly tag: string | undefined;
}
interface Understood {
  readonly method: string;
  readonly callId: string;
  readonly cseq: number;
  readonly from: Party;
  readonly to: Party;
  readonly via: readonly [host: string, port: number | undefined, branch: string | undefined];
  readonly body: number;
}

const bare = (host: string): string => host.toLowerCase().replaceAll(/[[\]]/g, '');

function ours(text: string): Understood | undefined {
  const read = parseMessage(Buffer.from(text, 'utf8'));
  if (!read.ok || read.value.kind !== 'request') return undefined;
  const { method, callId, cseq, from, to, topVia, body } = read.value;
  const party = ({ display, uri, tag }: NameAddr): Party => {
    const { user, host, port } =
      uri.ok && isSip(uri.value) ? uri.value : { user: undefined, host: '', port: undefined };
    return { display, user, host: bare(host), port, tag };
  };
  const { host, port, branch } = topVia;
  return {
    ...{ method, callId, cseq: cseq.seq, from: party(from), to: party(to), body: body.length },
    via: [bare(host), port, branch],
  };
}

function theirs(text: string): Understood | undefined {
  const read = Core.Parser.parseMessage(text, logger);
  if (!(read instanceof Core.IncomingRequestMessage)) return undefined;
  const { method, callId, cseq, from, to, via, viaBranch, body } = read;
  // It leaves out what it cannot read.
  if ([method, callId, cseq, from, to, via].includes(undefined as never)) return undefined;
  const party = (name: Core.NameAddrHeader): Party => ({
    // It leaves the signs of quoted pairs in (RFC 3261 25.1).
    display: (name.displayName ?? '').replaceAll(/\\(.)/gs, '$1'),
    user: name.uri.user === undefined ? undefined : decodeURIComponent(name.uri.user),
    host: bare(name.uri.host),
    port: name.uri.port,
    tag: name.getParam('tag') ?? undefined,
  });
  return {
    ...{ method, callId, cseq, from: party(from), to: party(to), body: Buffer.byteLength(body) },
    via: [bare(via.host), via.port, viaBranch],
  };
}

const HOSTS = ['care.example', '192.0.2.7', '[2001:db8::7]', 'a-b.c1.example', 'X.example'];
const USERS = ['anna', '+46855510', 'unit%231', 'a.b-c_d', "o'hara!", '1234*', 'user;par=1', 'x&y=z'];
const NAMES = ['', 'Anna ', '"Anna \\"A\\" B" ', '"," ', 'two words ', '""'];
const METHODS = ['INVITE', 'MESSAGE', 'OPTIONS', 'BYE', 'REGISTER', 'NOTIFY', 'X-OWN'];

function made(seed: number): string {
  const chance = seeded(seed);
  const host = (): string =>
    pick(chance, HOSTS) + (chance() < 0.4 ? `:${1 + Math.floor(65_000 * chance())}` : '');
  const uri = (): string =>
    `${chance() < 0.1 ? 'sips' : 'sip'}:${chance() < 0.8 ? `${pick(chance, USERS)}@` : ''}${host()}${chance() < 0.3 ? ';transport=tcp' : ''}`;
  const party = (tag: string | undefined): string =>
    `${pick(chance, NAMES)}<${uri()}>${chance() < 0.2 ? ';x=y' : ''}${tag === undefined ? '' : `;tag=${tag}`}`;
  const token = (): string => Math.floor(1e9 * chance()).toString(36);
  const colon = (): string => pick(chance, [': ', ':', ' : ', ':\t', ':  ']);
  const method = pick(chance, METHODS);
  const body = chance() < 0.5 ? '' : 'hello';
  return [
    `${method} ${uri()} SIP/2.0`,
    `${pick(chance, ['Via', 'v', 'VIA'])}${colon()}SIP/2.0/UDP ${host()};branch=z9hG4bK${token()}${chance() < 0.5 ? ';rport' : ''}`,
    'Max-Forwards: 70',
    `${pick(chance, ['From', 'f'])}${colon()}${party(token())}`,
    `${pick(chance, ['To', 't'])}${colon()}${party(chance() < 0.5 ? token() : undefined)}`,
    `${pick(chance, ['Call-ID', 'i'])}${colon()}${token()}${chance() < 0.5 ? '@192.0.2.7' : ''}`,
    `CSeq${colon()}${Math.floor(2 ** 31 * chance())} ${method}`,
    `Subject: folded\r\n ${token()}`,
    `Contact: <${uri()}>`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

describe('our reader beside the grammar of sip.js', () => {
  it('understands made requests alike', () => {
    let both = 0;
    for (let seed = 1; seed <= MESSAGES; seed++) {
      const text = made(seed);
      const [one, other] = [ours(text), theirs(text)];
      expect(one, `seed ${seed}: ${text}`).toBeDefined();
      if (other === undefined) continue;
      both++;
      expect(one, `seed ${seed}: ${text}`).toEqual(other);
    }
    // Messages that it refuses are its own affair; without common ground the test would show nothing.
    expect(both).toBeGreaterThan(MESSAGES * 0.95);
  });

  it('understands the torture messages alike that both take', () => {
    const folder = join(import.meta.dirname, '../../../vectors/sip/torture');
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as { name: string }[];
    const compared = expected.flatMap(({ name }) => {
      const text = readFileSync(join(folder, `${name}.sip`)).toString('utf8');
      const [one, other] = [ours(text), theirs(text)];
      return one === undefined || other === undefined ? [] : [{ name, one, other }];
    });
    // Bodies of bytes are no text, which is all it takes.
    for (const { name, one, other } of compared)
      expect({ ...one, body: 0 }, name).toEqual({ ...other, body: 0 });
    expect(compared.length).toBeGreaterThan(10);
  });
});
