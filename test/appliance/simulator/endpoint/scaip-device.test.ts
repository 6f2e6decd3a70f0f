import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeRequest, encodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import { type AlarmResult, ScaipDevices } from '#appliance/simulator/endpoint/scaip-device.ts';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { type Flow, SipEndpoint } from '#appliance/sip/endpoint/index.ts';
import { parseMessage, responseTo, type SipMessage, writeRequest } from '#appliance/sip/message/index.ts';

const flow: Flow = {
  transport: 'UDP',
  reliable: false,
  localAddress: '192.0.2.1',
  localPort: 5060,
  remoteAddress: '192.0.2.2',
  remotePort: 5060,
  connection: 0,
};
const hash = (algorithm: string, text: string) =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');

function simulated(password?: string) {
  let nowMs = 0;
  let tokens = 0;
  const sent: Buffer[] = [];
  const results: AlarmResult[] = [];
  const endpoint: SipEndpoint = new SipEndpoint({
    capability: { methods: ['MESSAGE'], accept: ['application/scaip+xml'], supported: [] },
    random: (length) => randomBytes(length),
    nowMs,
    effects: {
      send: (_flow, bytes) => sent.push(bytes),
      deliver: (request, server, _flow, atMs) => devices.deliver(request, server, atMs),
      acknowledged: () => undefined,
      onDefect: (error) => {
        throw error;
      },
    },
  });
  const devices: ScaipDevices = new ScaipDevices(
    {
      endpoint,
      flow,
      receiver: 'sip:scaip@care.example',
      domain: 'care.example',
      token: () => `t${tokens++}`,
      hash,
      password,
      onStep: () => undefined,
    },
    nowMs,
  );
  const requests = (): SipMessage[] =>
    sent.splice(0).flatMap((bytes) => {
      const parsed = parseMessage(bytes);
      return parsed.ok && parsed.value.kind === 'request' ? [parsed.value] : [];
    });
  return {
    results,
    requests,
    raise: (reference: string) =>
      devices.raise({ device: '4711', reference, deviceType: '0003', statusCode: '0010' }, nowMs, (result) =>
        results.push(result),
      ),
    /** The centre answers the SIP request. */
    sip: (request: SipMessage | undefined, status: number, headers: [string, string][] = []) => {
      if (request?.kind !== 'request') throw new Error('nothing was sent');
      endpoint.receive(
        flow,
        responseTo(request, { address: '192.0.2.1', port: 5060 }, { status, headers, toTag: 'c' }),
        nowMs,
      );
    },
    /** The centre answers the alarm. */
    scaip: (ref: string, snu: number) => {
      const branch = `z9hG4bK${tokens++}`;
      const bytes = writeRequest({
        method: 'MESSAGE',
        uri: 'sip:4711@192.0.2.1',
        headers: [
          ['Via', `SIP/2.0/UDP 192.0.2.2;branch=${branch}`],
          ['From', '<sip:scaip@care.example>;tag=x'],
          ['To', '<sip:4711@care.example>'],
          ['Call-ID', branch],
          ['CSeq', '1 MESSAGE'],
          ['Content-Type', 'application/scaip+xml'],
        ],
        body: Buffer.from(encodeResponse({ ref, snu })),
      });
      endpoint.receive(flow, bytes, nowMs);
    },
    after: (ms: number) => {
      for (const until = nowMs + ms; nowMs < until; nowMs += 50) {
        endpoint.advance(nowMs);
        devices.advance(nowMs);
      }
    },
  };
}

const referenceOf = (message: SipMessage | undefined) => {
  const decoded = decodeRequest(message?.body ?? '');
  return decoded.ok ? decoded.value.ref : undefined;
};

describe('a simulated SCAIP device', () => {
  it('is done when the centre acknowledges', () => {
    const device = simulated();
    device.raise('R1');
    const [alarm] = device.requests();
    expect(referenceOf(alarm)).toBe('R1');
    device.sip(alarm, 200);
    expect(device.results).toEqual([]);
    device.scaip('R1', 0);
    expect(device.results).toMatchObject([{ kind: 'answered', response: { ref: 'R1', snu: 0 } }]);
  });

  it('asks again with the same reference after a hold, as often as the answer says', () => {
    const device = simulated();
    device.raise('R2');
    for (let round = 0; round < 4; round++) {
      const [alarm] = device.requests();
      expect(referenceOf(alarm)).toBe('R2');
      device.sip(alarm, 200);
      device.scaip('R2', 4);
      device.after(5_100);
    }
    device.sip(device.requests()[0], 200);
    device.scaip('R2', 0);
    expect(device.results).toHaveLength(1);
  });

  it('repeats without an answer, and gives up after three tries', () => {
    const device = simulated();
    device.raise('R3');
    for (let round = 0; round < 3; round++) {
      const [alarm] = device.requests();
      expect(referenceOf(alarm)).toBe('R3');
      device.sip(alarm, 200);
      device.after(11_200);
    }
    expect(device.results).toMatchObject([{ kind: 'failed' }]);
  });

  it('pauses before it tries a centre again that answered 503', () => {
    const device = simulated();
    device.raise('R4');
    device.sip(device.requests()[0], 503);
    expect(device.requests()).toEqual([]);
    device.after(1_100);
    expect(referenceOf(device.requests()[0])).toBe('R4');
  });

  it('answers a digest challenge once', () => {
    const device = simulated('secret');
    device.raise('R5');
    const challenge = 'Digest realm="care.example", nonce="n", qop="auth", algorithm=SHA-256';
    device.sip(device.requests()[0], 401, [['WWW-Authenticate', challenge]]);
    const [again] = device.requests();
    const field = again?.kind === 'request' ? (again.header('Authorization') ?? '') : '';
    const part = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(field)?.[1] ?? '';
    const ha1 = ha1Of(hash, 'SHA-256', '4711', 'care.example', 'secret');
    const ha2 = hash('SHA-256', 'MESSAGE:sip:scaip@care.example');
    expect(part('response')).toBe(hash('SHA-256', `${ha1}:n:${part('nc')}:${part('cnonce')}:auth:${ha2}`));
    device.sip(again, 401, [['WWW-Authenticate', challenge]]);
    device.after(1_100);
    expect(device.requests()).toHaveLength(1);
  });
});
