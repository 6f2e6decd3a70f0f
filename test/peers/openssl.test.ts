import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { DOMAIN, type PeerSite, startPeerSite } from './support/peer-site.ts';
import { runProgram } from './support/program.ts';

const HALF_CLOSED = fileURLToPath(new URL('./support/half-closed.py', import.meta.url));

const place = new Place();
let site: PeerSite;
let root: string;

beforeAll(async () => {
  site = await startPeerSite({ bridges: () => [], devices: [] });
  root = join(place.folder(), 'root.pem');
  writeFileSync(root, site.ca);
});
afterAll(async () => {
  await site?.close();
  await place.close();
});

const client = (args: readonly string[], input = '') => {
  const to = ['s_client', '-connect', `127.0.0.1:${site.appliance.ready.tls}`];
  return runProgram('openssl', [...to, '-CAfile', root, '-verify_return_error', ...args], { input });
};

const options = [
  `OPTIONS sip:${DOMAIN} SIP/2.0`,
  'Via: SIP/2.0/TLS 127.0.0.1:40000;branch=z9hG4bKopenssl;rport',
  'Max-Forwards: 70',
  `From: <sip:openssl@${DOMAIN}>;tag=1`,
  `To: <sip:${DOMAIN}>`,
  'Call-ID: openssl',
  'CSeq: 1 OPTIONS',
  'Content-Length: 0',
  '',
  '',
].join('\r\n');

describe('openssl at the SIP listener for TLS', () => {
  it.each(['-tls1_2', '-tls1_3'])(
    'verifies the chain up to the root of the platform with %s',
    async (version) => {
      const { code, stdout } = await client([version, '-verify_ip', '127.0.0.1']);
      expect(stdout).toMatch(/Verify return code: 0 \(ok\)/);
      expect(stdout).toMatch(/Verified peername|Server certificate/);
      expect(code).toBe(0);
    },
  );

  it('finds a certificate that does not speak for another name', async () => {
    const { code, stderr } = await client(['-verify_hostname', 'elsewhere.example']);
    expect(stderr).toMatch(/hostname mismatch/i);
    expect(code).not.toBe(0);
  });

  it('is refused with TLS 1.1, though it would', async () => {
    const { code, stdout, stderr } = await client(['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0']);
    expect(stderr).toMatch(/alert protocol version/);
    expect(stdout).toMatch(/no peer certificate available/);
    expect(code).not.toBe(0);
  });

  it('gets an answer to OPTIONS', async () => {
    // It ends with its input, which ends a moment after the request.
    const script = `(cat; sleep 1) | openssl s_client -quiet -no_ign_eof -connect 127.0.0.1:${site.appliance.ready.tls} -CAfile ${root} -verify_return_error`;
    const { stdout } = await runProgram('sh', ['-c', script], { input: options });
    expect(stdout).toMatch(/^SIP\/2\.0 200 OK/);
    expect(stdout).toMatch(/Accept: .*application\/scaip\+xml/);
  });
});

describe('a TLS peer of OpenSSL that ends its half', () => {
  const ending = (how: string, input: string) =>
    runProgram('python3', [HALF_CLOSED, '127.0.0.1', String(site.appliance.ready.tls), root, how], { input });

  it.each([
    ['with close_notify', 'notify'],
    ['by the end of its TCP stream alone', 'cut'],
  ])('%s still gets its answer, and then our end', async (_, how) => {
    const { code, stdout, stderr } = await ending(how, options);
    expect(stdout).toMatch(/^SIP\/2\.0 200 OK\r\n/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'ended' });
  });

  it.each(['notify', 'cut'])(
    'in the middle of a message (%s) is not answered, and its connection ends',
    async (how) => {
      const { code, stdout } = await ending(how, options.slice(0, -40));
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect((await ending(how, options)).stdout).toMatch(/^SIP\/2\.0 200 OK\r\n/);
    },
  );
});
