import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEVICE_TOKEN_TYP } from '#shared/authorize/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { hangsUp, nothingLeft, takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/* A telephone that shows a token (RFC 8898), and whose token runs out while it is in a call. */

/** Each party is asked once in this time whether its session lives on (RFC 4028 section 10: half of 30 min). */
const TOKEN_MS = 1_200_000;

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let tablet: Telephone;
let bo: Telephone;

beforeEach(async () => {
  const authorized = { domain: 'care.example', invite: '^sip:bo@', register: true };
  // The clock of the test begins here, epoch seconds.
  const iat = 1_770_000_000;
  const claims = { iss: 'site', sub: 'tablet', iat, exp: iat + TOKEN_MS / 1_000 };
  appliance = await testAppliance({
    verifyToken: (token) => ({
      typ: token === 'good' ? DEVICE_TOKEN_TYP : 'other',
      payload: { ...claims, domain: 'care.example', authorized },
    }),
  });
  net = telephones(appliance);
  bo = await net.device('bo', '192.0.2.21');
  appliance.device({ deviceId: 'tablet', authType: 'userid', authorized });
  tablet = net.stranger('tablet', '192.0.2.40');
  tablet.flow = { ...tablet.flow, transport: 'WSS', reliable: true, connection: 5 };
  tablet.contact = '<sip:tablet@abc.invalid;transport=ws>';
});
afterEach(() => nothingLeft(appliance, net));

const TOKEN = ['Authorization', 'Bearer good'] as const;

it('speaks on behind the end of its token, and begins nothing new', async () => {
  const talk = await tablet.invite('bo', net.pump, { headers: [TOKEN], challenged: false });
  await takesCall(bo, net);
  tablet.acknowledge(talk, tablet.response(200));
  await net.pump();
  for (let passed = 0; passed < TOKEN_MS + 120_000; passed += 20_000) {
    await net.after(20_000, 20_000);
    // Both are asked now and then whether their session lives on.
    for (const phone of [tablet, bo])
      while (phone.has('INVITE')) {
        const version = passed / 20_000 + 2;
        phone.respond(phone.request('INVITE'), 200, { sdp: phone.describe({ version }) });
        await net.pump();
      }
  }
  expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
  tablet.inDialog(talk, 'INVITE', { sdp: tablet.describe({ direction: 'sendonly', version: 900 }) });
  await net.pump();
  tablet.response(200);
  tablet.inDialog(talk, 'ACK', { cseq: talk.cseq });
  bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ direction: 'recvonly', version: 900 }) });
  await net.pump();
  await tablet.invite('bo', net.pump, { headers: [TOKEN], challenged: false });
  expect(tablet.response(401).header('WWW-Authenticate')).toContain('error="invalid_token"');
  expect(bo.has('INVITE')).toBe(false);
  await hangsUp(net, tablet, talk, bo);
  tablet.response(200, 'BYE');
  appliance.logged.splice(0);
}, 300_000);

it('shows its token in X-JWTAuth for the host alone, and its other fields reach the called device', async () => {
  const headers = [['X-JWTAuth', 'good'] as const, ['X-MetaData', 'eyJhIjoxfQ=='] as const];
  const talk = await tablet.invite('bo', net.pump, { headers, challenged: false });
  const invite = bo.inbox.find((each) => each.kind === 'request' && each.method === 'INVITE');
  expect(invite?.header('X-MetaData')).toBe('eyJhIjoxfQ==');
  expect(invite?.header('X-JWTAuth')).toBeUndefined();
  await takesCall(bo, net);
  tablet.acknowledge(talk, tablet.response(200));
  await net.pump();
  await hangsUp(net, tablet, talk, bo);
  tablet.response(200, 'BYE');
});
