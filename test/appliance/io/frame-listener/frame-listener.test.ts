import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeFrame, type Frame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { aesCbc, type Listening, openFrameListener } from '#appliance/io/frame-listener/index.ts';
import { freePorts } from '#test/support/site-port.ts';

/** The clock is the real one here. */
const WAIT = { timeout: 20_000, interval: 5 };
const open: Listening[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0)) await each.close();
});

const BODY = Buffer.from('"NULL"0001L0#1234[]');

interface Tapped {
  readonly transport: string;
  readonly localPort: number;
  readonly remotePort: number;
}

async function listener(...hosts: readonly string[]) {
  const tapped: string[] = [];
  const tap = (direction: string) => (ends: Tapped, bytes: Uint8Array) =>
    tapped.push(
      `${direction} ${ends.transport} ${ends.localPort}-${ends.remotePort} ${/".*/.exec(Buffer.from(bytes).toString('latin1'))?.[0]}`,
    );
  const frames: string[] = [];
  const closed: string[] = [];
  const reports: string[] = [];
  const arrived: (() => void)[] = [];
  const names: string[] = [];
  const listening = await openFrameListener(
    (hosts.length > 0 ? hosts : ['127.0.0.1']).map((host) => ({ host, port: 0 })),
    {
      frame: (frame: Frame, connection) => {
        names.push(connection.id);
        frames.push(`${connection.transport} ${Buffer.from(frame.body).toString('latin1')}`);
        connection.send(encodeFrame(Buffer.from('"ACK"0001L0#1234[]')));
      },
      closed: (connection) => {
        closed.push(connection);
        for (const tell of arrived.splice(0)) tell();
      },
      report: (event) => reports.push(event),
    },
    { received: tap('in'), sent: tap('out') },
  );
  open.push(listening);
  return {
    listening,
    tapped,
    frames,
    ways: names,
    closed,
    reports,
    someClosed: () => new Promise<void>((r) => arrived.push(r)),
  };
}

describe('the frame listener', () => {
  it('lets a tap hear the bytes that come and go, with both ends', async () => {
    const { listening, tapped } = await listener();
    const tcp = connect(listening.port, '127.0.0.1');
    tcp.write(encodeFrame(BODY));
    await once(tcp, 'data');
    const udp = createSocket('udp4');
    udp.send(encodeFrame(BODY), listening.port, '127.0.0.1');
    await once(udp, 'message');
    const [tcpEnds, udpEnds] = [tcp.localPort, udp.address().port].map((port) => `${listening.port}-${port}`);
    tcp.destroy();
    udp.close();
    const ACK = '"ACK"0001L0#1234[]';
    expect(tapped.map((line) => line.trim())).toEqual([
      `in tcp ${tcpEnds} ${BODY}`,
      `out tcp ${tcpEnds} ${ACK}`,
      `in udp ${udpEnds} ${BODY}`,
      `out udp ${udpEnds} ${ACK}`,
    ]);
  });

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

  it('listens at several addresses at once, each listener with a name of its own', async () => {
    const hosts = ['127.0.0.1', '::1', '127.0.0.2'];
    const { listening, frames, ways: names } = await listener(...hosts);
    expect(listening.bound.map(({ host }) => host)).toEqual(hosts);
    expect(listening.port).toBe(listening.bound[0]?.port);
    const udp = { v4: createSocket('udp4'), v6: createSocket('udp6') };
    for (const { host, port } of listening.bound) {
      const tcp = connect(port, host);
      tcp.write(encodeFrame(BODY));
      await once(tcp, 'data');
      tcp.destroy();
      const socket = host.includes(':') ? udp.v6 : udp.v4;
      socket.send(encodeFrame(BODY), port, host);
      await once(socket, 'message');
    }
    udp.v4.close();
    udp.v6.close();
    expect(frames).toHaveLength(6);
    expect(new Set(names).size).toBe(6);
  });

  it('listens nowhere when one address is not there, and says what to do', async () => {
    const [free = 0] = await freePorts('127.0.0.1', 1);
    const sink = { frame: () => undefined, closed: () => undefined, report: () => undefined };
    const at = [
      { host: '127.0.0.1', port: free },
      { host: '2001:db8::1', port: free },
    ];
    await expect(openFrameListener(at, sink)).rejects.toThrow(
      new RegExp(
        `2001:db8::1:${free} \\(TCP\\).*EADDRNOTAVAIL.*take \\[2001:db8::1\\]:${free} out of CARILLON_DC09`,
      ),
    );
    open.push(await openFrameListener({ host: '127.0.0.1', port: free }, sink));
  });

  it('gives a broken frame no answer and says when a connection is closed', async () => {
    const { listening, frames, closed, reports, someClosed } = await listener();
    const tcp = connect(listening.port, '127.0.0.1');
    const wrong = encodeFrame(BODY);
    wrong[12] = 0x58;
    const whenClosed = someClosed();
    tcp.end(wrong);
    await whenClosed;
    expect(frames).toEqual([]);
    expect(reports).toEqual(['a broken frame gets no answer']);
    expect(closed).toHaveLength(1);
  });

  describe('a panel that shuts its side behind its frame', () => {
    /** Answers come when `answerAll` is called. */
    async function lateListener() {
      const names: ((bytes: Uint8Array) => void)[] = [];
      const asked: (() => void)[] = [];
      const listening = await openFrameListener(
        { host: '127.0.0.1', port: 0 },
        {
          frame: (_, connection) => {
            names.push(connection.send);
            for (const tell of asked.splice(0)) tell();
          },
          closed: () => undefined,
          report: () => undefined,
        },
      );
      open.push(listening);
      return {
        port: listening.port,
        arrived: () => new Promise<void>((resolve) => asked.push(resolve)),
        answerAll: () => {
          for (const send of names.splice(0)) send(encodeFrame(Buffer.from('"ACK"0001L0#1234[]')));
        },
      };
    }

    /** Everything that the connection says until it ends. */
    async function receivedUntilEnd(tcp: Socket): Promise<string> {
      let received = '';
      tcp.on('data', (chunk) => {
        received += String(chunk);
      });
      await once(tcp, 'end');
      tcp.destroy();
      return received;
    }

    it.each([
      ['one frame', [encodeFrame(BODY)], 1],
      ['two frames', [encodeFrame(BODY), encodeFrame(BODY)], 2],
      ['a frame without its CR', [encodeFrame(BODY).subarray(0, -1)], 1],
    ])('answers %s before the connection ends', async (_, frames, answers) => {
      const { port, arrived, answerAll } = await lateListener();
      const tcp = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const came = arrived();
      const received = receivedUntilEnd(tcp);
      await new Promise<void>((resolve) => tcp.end(Buffer.concat(frames), resolve));
      await came;
      // The frame of a later connection arrives behind the end of this one.
      const later = connect(port, '127.0.0.1');
      const cameLater = arrived();
      later.write(encodeFrame(BODY));
      await cameLater;
      answerAll();
      expect((await received).split('ACK')).toHaveLength(answers + 1);
      later.destroy();
    });

    it('ends a connection whose frame gets no answer', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { port, arrived } = await lateListener();
      const tcp = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const came = arrived();
      tcp.end(encodeFrame(BODY));
      await came;
      expect(await afterTenSeconds(receivedUntilEnd(tcp))).toBe('');
    });
  });

  it('answers a frame whose CR does not come, after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { listening } = await listener();
    const tcp = connect(listening.port, '127.0.0.1');
    tcp.write(encodeFrame(BODY).subarray(0, -1));
    const [answer] = await afterTenSeconds(once(tcp, 'data'));
    expect(String(answer)).toContain('"ACK"0001L0#1234[]');
    tcp.destroy();
  });

  it('cuts a connection whose frame does not end within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { listening, reports, someClosed } = await listener();
    const closed = someClosed();
    const tcp = connect(listening.port, '127.0.0.1');
    tcp.on('error', () => undefined);
    tcp.write(encodeFrame(BODY).subarray(0, 9));
    await afterTenSeconds(closed);
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

/**
 * The outcome of what the passing of ten seconds brings about. A packet arrives when it does, and timers of others are no sign of it: the
 * seconds pass again until they have passed behind it.
 */
async function afterTenSeconds<Value>(awaited: Promise<Value>): Promise<Value> {
  let isOver = false;
  void awaited.finally(() => {
    isOver = true;
  });
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(isOver).toBe(true);
  }, WAIT);
  return await awaited;
}
