import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeFrame, type Frame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { aesCbc, type Listening, openFrameListener } from '#appliance/io/frame-listener/index.ts';

const open: Listening[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0)) await each.close();
});

const BODY = Buffer.from('"NULL"0001L0#1234[]');

async function listener(host = '127.0.0.1') {
  const frames: string[] = [];
  const closed: string[] = [];
  const reports: string[] = [];
  const arrived: (() => void)[] = [];
  const listening = await openFrameListener(
    { host, port: 0 },
    {
      frame: (frame: Frame, way) => {
        frames.push(`${way.transport} ${Buffer.from(frame.body).toString('latin1')}`);
        way.send(encodeFrame(Buffer.from('"ACK"0001L0#1234[]')));
      },
      closed: (way) => {
        closed.push(way);
        for (const tell of arrived.splice(0)) tell();
      },
      report: (event) => reports.push(event),
    },
  );
  open.push(listening);
  return { listening, frames, closed, reports, someClosed: () => new Promise<void>((r) => arrived.push(r)) };
}

describe('the frame listener', () => {
  it.each(['127.0.0.1', '::1'])(
    'takes frames over TCP and UDP on one port of %s and answers them',
    async (host) => {
      const { listening, frames } = await listener(host);
      const tcp = connect(listening.port, host);
      const bytes = encodeFrame(BODY);
      // Torn in the middle, with the next one behind: a stream has no borders.
      tcp.write(bytes.subarray(0, 9));
      tcp.write(Buffer.concat([bytes.subarray(9), bytes]));
      let answer = '';
      while (answer.split('ACK').length < 3) answer += String((await once(tcp, 'data'))[0]);
      tcp.destroy();
      const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      udp.send(bytes, listening.port, host);
      const [back] = await once(udp, 'message');
      udp.close();
      expect(String(back)).toContain('"ACK"0001L0#1234[]');
      expect(frames).toEqual([`tcp ${BODY}`, `tcp ${BODY}`, `udp ${BODY}`]);
    },
  );

  it('gives a broken frame no answer and says when a connection is gone', async () => {
    const { listening, frames, closed, reports, someClosed } = await listener();
    const tcp = connect(listening.port, '127.0.0.1');
    const wrong = encodeFrame(BODY);
    wrong[12] = 0x58;
    const gone = someClosed();
    tcp.end(wrong);
    await gone;
    expect(frames).toEqual([]);
    expect(reports).toEqual(['a broken frame gets no answer']);
    expect(closed).toHaveLength(1);
  });

  it('cuts a connection whose frame does not end within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { listening, reports, someClosed } = await listener();
    const gone = someClosed();
    const tcp = connect(listening.port, '127.0.0.1');
    tcp.on('error', () => undefined);
    tcp.write(encodeFrame(BODY).subarray(0, 9));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { interval: 5 });
    await vi.advanceTimersByTimeAsync(10_000);
    await gone;
    expect(reports).toEqual(['connection closed: a frame did not end in time']);
  });

  it('names the address it cannot have and the setting that changes it', async () => {
    const { listening } = await listener();
    const sink = { frame: () => undefined, closed: () => undefined, report: () => undefined };
    await expect(openFrameListener({ host: '127.0.0.1', port: listening.port }, sink)).rejects.toThrow(
      `DC-09 cannot listen on 127.0.0.1:${listening.port} (TCP)`,
    );
  });
});

it('has AES-CBC of the system, and undefined for keys and lengths that cannot be', () => {
  const iv = new Uint8Array(16);
  for (const size of [16, 24, 32]) {
    const key = new Uint8Array(size).fill(7);
    const cipher = aesCbc.encrypt(key, iv, new Uint8Array(32));
    expect(cipher).toHaveLength(32);
    expect(cipher && aesCbc.decrypt(key, iv, cipher)).toEqual(Buffer.alloc(32));
  }
  expect(aesCbc.encrypt(new Uint8Array(15), iv, new Uint8Array(16))).toBeUndefined();
  expect(aesCbc.decrypt(new Uint8Array(16), iv, new Uint8Array(15))).toBeUndefined();
});
