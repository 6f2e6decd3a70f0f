import { describe, expect, it } from 'vitest';
import { type Flow, SipEndpoint } from '#appliance/sip/endpoint/index.ts';
import { capability, seeded, seededBytes, udp } from './stage.ts';

interface Packet {
  readonly atMs: number;
  readonly to: 'device' | 'receiver';
  readonly bytes: Buffer;
}

/**
 * Two endpoints and a network that loses, doubles and reorders. 10 % of packets are lost, 10 % come twice, and
 * every packet takes 1 to 300 ms, so that later ones overtake earlier ones.
 */
class Network {
  nowMs = 0;
  readonly #random: () => number;
  readonly #loss: number;
  readonly #queue: Packet[] = [];
  lost = 0;
  doubled = 0;

  constructor(seed: number, loss: number) {
    this.#random = seeded(seed);
    this.#loss = loss;
  }

  send(to: Packet['to'], bytes: Buffer): void {
    if (this.#random() < this.#loss) {
      this.lost++;
      return;
    }
    this.#push(to, bytes);
    if (this.#random() < 0.1) {
      this.doubled++;
      this.#push(to, bytes);
    }
  }

  #push(to: Packet['to'], bytes: Buffer): void {
    this.#queue.push({
      atMs: this.nowMs + 1 + Math.floor(this.#random() * 300),
      to,
      bytes: Buffer.from(bytes),
    });
  }

  arrived(): Packet[] {
    const due = this.#queue.filter(({ atMs }) => atMs <= this.nowMs).sort((a, b) => a.atMs - b.atMs);
    for (const packet of due) this.#queue.splice(this.#queue.indexOf(packet), 1);
    return due;
  }
}

const toReceiver: Flow = { ...udp, localAddress: '192.0.2.1', remoteAddress: '192.0.2.254' };

function run(seed: number, alarms: number, loss: number) {
  const network = new Network(seed, loss);
  const deliveries = new Map<string, number>();
  const finals = new Map<string, string[]>();
  const defects: unknown[] = [];
  const common = { capability, nowMs: 0, maxServers: 100_000 };
  const rest = { acknowledged: () => undefined, onDefect: (error: unknown) => void defects.push(error) };
  const receiver = new SipEndpoint({
    ...common,
    random: seededBytes(seed + 1),
    effects: {
      ...rest,
      send: (_, bytes) => network.send('device', bytes),
      deliver: (request, server, _flow, nowMs) => {
        const id = request.body.toString();
        deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
        server.respond({ status: 200 }, nowMs);
      },
    },
  });
  const device = new SipEndpoint({
    ...common,
    random: seededBytes(seed + 2),
    effects: { ...rest, send: (_, bytes) => network.send('receiver', bytes), deliver: () => undefined },
  });
  let started = 0;
  for (; network.nowMs < alarms * 4 + 80_000; network.nowMs += 2) {
    const { nowMs } = network;
    if (started < alarms && nowMs % 4 === 0) {
      const id = `alarm-${started++}`;
      device.request(
        {
          method: 'MESSAGE',
          uri: 'sip:receiver@192.0.2.254',
          headers: [
            ['From', '<sip:unit@tenant.example>;tag=same'],
            ['To', '<sip:receiver@192.0.2.254>'],
            ['Call-ID', id],
            ['CSeq', '1 MESSAGE'],
            ['Content-Type', 'text/plain'],
          ],
          body: Buffer.from(id),
        },
        toReceiver,
        nowMs,
        (outcome) => {
          const word = outcome.kind === 'response' ? String(outcome.response.status) : outcome.kind;
          finals.set(id, [...(finals.get(id) ?? []), word]);
        },
      );
    }
    for (const { to, bytes } of network.arrived()) {
      if (to === 'receiver') receiver.receive(udp, bytes, nowMs);
      else device.receive(toReceiver, bytes, nowMs);
    }
    receiver.advance(nowMs);
    device.advance(nowMs);
  }
  return { network, deliveries, finals, defects, receiver, device };
}

describe('10 % loss, 10 % duplication, disorder', () => {
  it('delivers each of 2,000 alarms exactly once, and each sender hears 200 exactly once', () => {
    const { network, deliveries, finals, defects, receiver, device } = run(4_711, 2_000, 0.1);
    expect(network.lost).toBeGreaterThan(300);
    expect(network.doubled).toBeGreaterThan(300);
    expect(receiver.counts.retransmissions).toBeGreaterThan(300);
    expect(deliveries.size).toBe(2_000);
    expect([...deliveries.values()].every((times) => times === 1)).toBe(true);
    expect([...finals.values()].every((words) => words.join() === '200')).toBe(true);
    expect(finals.size).toBe(2_000);
    expect(defects).toEqual([]);
    expect(receiver.serverCount + device.clientCount).toBe(0);
  });

  it('never delivers twice even where half of all packets are lost', () => {
    const { deliveries, finals } = run(815, 300, 0.5);
    expect([...deliveries.values()].every((times) => times === 1)).toBe(true);
    expect([...finals.values()].every((words) => words.length === 1)).toBe(true);
    expect(finals.size).toBe(300);
  });
});
