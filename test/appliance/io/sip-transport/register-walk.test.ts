import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from 'vitest';
import {
  digestCrypto,
  openSipTransport,
  type SipTransport,
  type TlsCredentials,
} from '#appliance/io/sip-transport/index.ts';
import { Authenticator, authorize, chooseChallenge, ha1Of, requestFacts } from '#appliance/sip/auth/index.ts';
import { type Flow, type Outcome, type Outgoing, SipEndpoint } from '#appliance/sip/endpoint/index.ts';
import type { SipRequest, SipResponse } from '#appliance/sip/message/index.ts';
import { aorOf, Registrar, readRegistration, registeredFields } from '#appliance/sip/registrar/index.ts';
import { certificate, until } from './loopback.ts';

const DOMAIN = 'demo.carillon.test';
const login = { username: 'phone-1', password: 'Z4-open-sesame' };
const crypto = digestCrypto();
const open: SipTransport[] = [];

let credentials: TlsCredentials;
beforeAll(async () => {
  credentials = await certificate(['URI:sip:demo.carillon.test']);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

type Deliver = ConstructorParameters<typeof SipEndpoint>[0]['effects']['deliver'];

/** A transport with an endpoint on it. */
async function element(deliver: Deliver, closed: (flow: Flow) => void = () => undefined) {
  const monoMs = () => performance.now();
  const at = [{ host: '127.0.0.1', port: 0 }];
  const transport = await openSipTransport(
    { udp: at, tcp: at, tls: at, tlsCredentials: () => credentials, monoMs },
    {
      message: (flow, bytes, nowMs) => endpoint.receive(flow, bytes, nowMs),
      closed,
      failed: (flow) => endpoint.transportFailed(flow, monoMs()),
    },
  );
  open.push(transport);
  const endpoint = new SipEndpoint({
    effects: {
      send: (flow, bytes) => transport.send(flow, bytes),
      deliver,
      acknowledged: () => undefined,
      onDefect: (error) => {
        throw error;
      },
    },
    capability: {
      methods: ['REGISTER', 'MESSAGE', 'OPTIONS'],
      accept: ['text/plain'],
      supported: ['path', 'outbound'],
    },
    random: randomBytes,
    nowMs: monoMs(),
  });
  const ask = (outgoing: Outgoing, flow: Flow) =>
    new Promise<SipResponse>((resolve, reject) => {
      endpoint.request(outgoing, flow, monoMs(), (outcome: Outcome) => {
        if (outcome.kind === 'response') resolve(outcome.response);
        else reject(new Error(outcome.kind));
      });
    });
  return { transport, ask };
}

/** The registrar of a site, put together as a runtime would. */
async function site() {
  const registrar = new Registrar();
  const ha1 = { 'SHA-256': ha1Of(crypto.hash, 'SHA-256', login.username, DOMAIN, login.password) };
  const authenticator = new Authenticator(
    {
      tenant: () => DOMAIN,
      device: (domain, deviceId) =>
        deviceId === login.username ? { domain, deviceId, authType: 'credentials', ha1 } : undefined,
      trunk: () => undefined,
      bearer: () => undefined,
    },
    crypto,
  );
  const made = await element(
    (request, server, flow, nowMs) => {
      const decision = authenticator.identify(requestFacts(request, flow), nowMs);
      if (decision.outcome === 'challenged') {
        const headers = decision.challenges.map((value): [string, string] => ['WWW-Authenticate', value]);
        server.respond({ status: 401, headers }, nowMs);
        return;
      }
      const wanted = readRegistration(request, aorOf(login.username, DOMAIN), flow, true);
      if (decision.outcome !== 'accepted' || !wanted.ok) throw new Error('not expected here');
      const result = registrar.register(wanted.value, Date.now());
      if (result.outcome !== 'registered') throw new Error(result.outcome);
      server.respond(
        { status: 200, headers: registeredFields(result.bindings, wanted.value, Date.now()) },
        nowMs,
      );
    },
    (flow) => registrar.flowClosed(flow.connection),
  );
  return { ...made, registrar };
}

const register = (cseq: number, authorization?: string): Outgoing => ({
  method: 'REGISTER',
  uri: `sip:${DOMAIN}`,
  headers: [
    ['From', `<sip:phone-1@${DOMAIN}>;tag=a`],
    ['To', `<sip:phone-1@${DOMAIN}>`],
    ['Call-ID', 'walk'],
    ['CSeq', `${cseq} REGISTER`],
    // An address behind NAT: no host can send there.
    ['Contact', '<sip:phone-1@10.255.255.1:5060>'],
    ['Expires', '600'],
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
  ],
});

function answer(response: SipResponse): string {
  const challenge = chooseChallenge(response.headers('WWW-Authenticate'));
  if (!challenge.ok) throw new Error(challenge.error.reason);
  const request = { method: 'REGISTER', uri: `sip:${DOMAIN}` };
  return authorize(crypto.hash, challenge.value, login, request, {
    count: 1,
    cnonce: randomBytes(8).toString('hex'),
  });
}

test.each(['UDP', 'TCP', 'TLS'] as const)(
  'over %s: challenged, registered, and reached over the flow it came by although its contact leads nowhere',
  async (name) => {
    const here = await site();
    const received: SipRequest[] = [];
    const device = await element((request, server, _flow, nowMs) => {
      received.push(request);
      server.respond({ status: 200 }, nowMs);
    });
    const port = here.transport.bound.find((bound) => bound.transport === name)?.port ?? 0;
    const flow = await device.transport.connect(name, '127.0.0.1', port, { domain: DOMAIN });
    if (!flow.ok) throw new Error(flow.error.reason);

    const challenged = await device.ask(register(1), flow.value);
    expect(challenged.status).toBe(401);
    const registered = await device.ask(register(2, answer(challenged)), flow.value);
    expect(registered.status).toBe(200);
    expect(registered.header('Contact')).toBe('<sip:phone-1@10.255.255.1:5060>;expires=600');

    const [binding] = here.registrar.lookup(aorOf('phone-1', DOMAIN), Date.now());
    if (!binding?.flow) throw new Error('not registered');
    const message: Outgoing = {
      method: 'MESSAGE',
      uri: binding.contact,
      headers: [
        ['From', `<sip:arc@${DOMAIN}>;tag=b`],
        ['To', `<sip:phone-1@${DOMAIN}>`],
        ['Call-ID', 'back'],
        ['CSeq', '1 MESSAGE'],
      ],
    };
    expect((await here.ask(message, binding.flow)).status).toBe(200);
    expect(received.map((request) => [request.method, request.uriText])).toEqual([
      ['MESSAGE', 'sip:phone-1@10.255.255.1:5060'],
    ]);

    await device.transport.close();
    if (name === 'UDP') return;
    await until(
      'the loss of the way',
      () => here.registrar.lookup(binding.aor, Date.now())[0]?.flow === null,
    );
  },
);
