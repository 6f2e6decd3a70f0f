import { describe, expect, it } from 'vitest';
import { EVENT_DIGITS } from '#appliance/media/dtmf/index.ts';
import {
  EventReceiver,
  EventSender,
  type ReceivedEvent,
  type TelephoneEvent,
} from '#appliance/media/rtp/index.ts';

interface SentPacket extends TelephoneEvent {
  readonly timestamp: number;
  readonly marker: boolean;
  readonly tick: number;
}

/** Runs a sender tick by tick from timestamp 1000. */
function sent(script: (sender: EventSender, tick: number) => void, ticks: number, first = 1_000) {
  const packets: SentPacket[] = [];
  const states: string[] = [];
  let tick = 0;
  const sender = new EventSender((event, timestamp, marker) =>
    packets.push({ ...event, timestamp, marker, tick }),
  );
  for (; tick < ticks; tick++) {
    script(sender, tick);
    states.push(sender.tick(first + tick * 160));
  }
  return { packets, states, sender };
}

const once =
  (act: (sender: EventSender) => void) =>
  (sender: EventSender, tick: number): void => {
    if (tick === 0) act(sender);
  };
const short = ({ timestamp, duration, end, marker }: SentPacket): string =>
  `${timestamp} ${duration}${end ? ' E' : ''}${marker ? ' M' : ''}`;

describe('EventSender', () => {
  it('sends a digit of 80 ms and its pause as the timeline has it', () => {
    const { packets, states, sender } = sent(
      once((one) => one.queue(5, 80, 80)),
      10,
    );
    expect(packets.map(short)).toEqual([
      '1000 160 M',
      '1000 320',
      '1000 480',
      '1000 640 E',
      '1000 640 E',
      '1000 640 E',
    ]);
    expect(packets.map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(states).toEqual([...new Array(6).fill('event'), 'pause', 'pause', 'idle', 'idle']);
    expect(new Set(packets.map(({ event, volume }) => `${event} ${volume}`))).toEqual(new Set(['5 10']));
    expect(sender.idle).toBe(true);
  });

  it('gives each digit of a string its own timestamp and marker, also equal ones', () => {
    const { packets } = sent(
      once((one) => {
        one.queue(1, 80, 80);
        one.queue(1, 80, 80);
      }),
      20,
    );
    expect(packets.filter(({ marker }) => marker).map(short)).toEqual(['1000 160 M', '2280 160 M']);
    expect(packets.filter(({ end }) => end)).toHaveLength(6);
  });

  it('keeps lengths that are no whole ticks', () => {
    const ends = (ms: number) =>
      sent(
        once((one) => one.queue(0, ms, 60)),
        40,
      ).packets.filter(({ end }) => end);
    expect(ends(50).map(({ duration }) => duration)).toEqual([400, 400, 400]);
    expect(ends(75)[0]?.duration).toBe(600);
    expect(ends(15).map(short)).toEqual(['1000 120 E M', '1000 120 E', '1000 120 E']);
    expect(ends(600)[0]?.duration).toBe(4_800);
  });

  it('sends all three end packets even when the pause is too short for them', () => {
    const { packets } = sent(
      once((one) => {
        one.queue(1, 40, 20);
        one.queue(2, 40, 20);
      }),
      12,
    );
    for (const event of [1, 2]) {
      expect(packets.filter((packet) => packet.event === event && packet.end)).toHaveLength(3);
    }
    expect(packets.find(({ event, marker }) => event === 2 && marker)?.tick).toBe(3);
  });

  it('splits an event over 65,535 units', () => {
    const { packets } = sent(
      once((one) => one.queue(11, 9_000, 80)),
      460,
    );
    const first = packets.filter(({ timestamp }) => timestamp === 1_000);
    const second = packets.filter(({ timestamp }) => timestamp === 1_000 + 65_535);
    expect(first.at(-1)).toMatchObject({ duration: 65_535, end: false });
    expect(first.length + second.length).toBe(packets.length);
    expect(second.every(({ marker }) => !marker)).toBe(true);
    expect(second.filter(({ end }) => end).map(({ duration }) => duration)).toEqual(
      new Array(3).fill(72_000 - 65_535),
    );
  });

  it('holds a pressed digit until it is released, at its own length', () => {
    const { packets } = sent((sender, tick) => {
      if (tick === 0) sender.press(4, 80);
      if (tick === 20) sender.release(425);
    }, 40);
    const ends = packets.filter(({ end }) => end);
    expect(ends.map(({ duration }) => duration)).toEqual([3_400, 3_400, 3_400]);
    expect(ends[0]?.tick).toBe(21);
  });

  it('ends what sounds when stopped, and forgets the rest', () => {
    const { packets, sender } = sent((one, tick) => {
      if (tick === 0) {
        one.queue(1, 1_000, 80);
        one.queue(2, 80, 80);
      }
      if (tick === 5) one.stop();
    }, 20);
    expect(packets.filter(({ end }) => end).map(({ duration }) => duration)).toEqual([800, 800, 800]);
    expect(packets.some(({ event }) => event === 2)).toBe(false);
    expect(sender.idle).toBe(true);
  });

  it('wraps with the timestamp', () => {
    const { packets } = sent(
      once((one) => one.queue(1, 9_000, 80)),
      460,
      0xffff_ff00,
    );
    expect(new Set(packets.map(({ timestamp }) => timestamp))).toEqual(
      new Set([0xffff_ff00, 0xffff_ff00 + 65_535 - 0x1_0000_0000]),
    );
  });
});

/** Feeds packets at their ticks (20 ms each), as far as `reaches` lets them through, then ticks on for a second. */
function received(
  packets: readonly SentPacket[],
  reaches: (packet: SentPacket, index: number) => boolean = () => true,
): ReceivedEvent[] {
  const detected: ReceivedEvent[] = [];
  const receiver = new EventReceiver((event) => detected.push(event));
  const last = (packets.at(-1)?.tick ?? 0) + 50;
  for (let tick = 0; tick < last; tick++) {
    for (const [index, packet] of packets.entries()) {
      if (packet.tick === tick && reaches(packet, index))
        receiver.push(9, packet.timestamp, packet, tick * 20);
    }
    receiver.tick(tick * 20);
  }
  return detected;
}
const ends = (detected: readonly ReceivedEvent[]) => detected.filter((event) => event.kind === 'end');
const reported = (detected: readonly ReceivedEvent[]): string[] =>
  detected.map((event) =>
    event.kind === 'begin' ? `begin ${event.code}` : `end ${event.code} ${event.durationMs} ${event.by}`,
  );

const digit = (event: number, ms: number): readonly SentPacket[] =>
  sent(
    once((one) => one.queue(event, ms, 80)),
    12 + ms / 20,
  ).packets;

describe('EventReceiver', () => {
  it('gives one begin and one end, with the length', () => {
    expect(reported(received(digit(5, 80)))).toEqual(['begin 5', 'end 5 80 end']);
    expect(reported(received(digit(5, 50)))).toEqual(['begin 5', 'end 5 50 end']);
  });

  it.each([
    ['the marker and the first packets', (_: SentPacket, index: number) => index >= 3],
    ['all but one end packet', (_: SentPacket, index: number) => index === 7],
    ['every packet but the ends', (packet: SentPacket) => packet.end],
    ['two of three packets', (packet: SentPacket, index: number) => packet.end || index % 3 === 0],
  ])('does not need %s', (_, reaches) => {
    const detected = received(digit(11, 120), reaches);
    expect(reported(detected)).toEqual(['begin 11', 'end 11 120 end']);
  });

  it('dates the beginning back when first packets are lost', () => {
    const [begin] = received(digit(5, 160), (_, index) => index >= 4);
    expect(begin).toEqual({ kind: 'begin', code: 5, startMs: -20 });
  });

  it('ends without end packets after three missing ones, at the last known length', () => {
    const detected = received(digit(3, 200), ({ end }) => !end);
    expect(reported(detected)).toEqual(['begin 3', 'end 3 180 silence']);
  });

  it('waits for packets that are only late', () => {
    const late = digit(3, 200).map((packet) =>
      packet.tick >= 4 ? { ...packet, tick: packet.tick + 3 } : packet,
    );
    expect(reported(received(late))).toEqual(['begin 3', 'end 3 200 end']);
  });

  it('is not disturbed by order or copies', () => {
    const packets = digit(7, 200);
    const disordered = packets.map((packet, index) => ({ ...packet, tick: packet.tick + (index % 2) * 2 }));
    expect(
      reported(received([...disordered, ...packets.map((packet) => ({ ...packet, tick: packet.tick + 1 }))])),
    ).toEqual(['begin 7', 'end 7 200 end']);
  });

  it('takes the same digit with a new timestamp for a second one, also when the first end was lost', () => {
    const { packets } = sent(
      once((one) => {
        one.queue(1, 80, 60);
        one.queue(1, 80, 60);
      }),
      20,
    );
    expect(reported(received(packets))).toEqual(['begin 1', 'end 1 80 end', 'begin 1', 'end 1 80 end']);
    const firstTimestamp = packets[0]?.timestamp;
    const withoutEnd = received(packets, (packet) => !(packet.end && packet.timestamp === firstTimestamp));
    expect(reported(withoutEnd)).toEqual(['begin 1', 'end 1 60 next', 'begin 1', 'end 1 80 end']);
  });

  describe('events of a sender that moves its timestamps', () => {
    type Row = readonly [timestamp: number, duration: number, end?: boolean];
    /** Packets of one press of `5`, one each tick from `tick` on. */
    const press = (rows: readonly Row[], tick = 0): SentPacket[] =>
      rows.map(([timestamp, duration, end = false], n) => ({
        ...{ tick: tick + n, timestamp: timestamp >>> 0, marker: n === 0 },
        ...{ event: 5, end, volume: 10, duration },
      }));
    const detectedOf = (packets: readonly SentPacket[]): string[] =>
      ends(received(packets)).map((end) => `${end.code} ${'durationMs' in end ? end.durationMs : 0}`);
    const growing: Row[] = [1, 2, 3, 4, 5, 6].map((n) => [n * 160, n * 160, n === 6]);
    const parts: Row[] = [1, 2, 3, 4, 5, 6].map((n) => [n * 160, 160, n === 6]);
    const movedEnds: Row[] = [
      ...[1, 2, 3].map((n): Row => [160, n * 160]),
      [160, 640, true],
      [320, 640, true],
      [480, 640, true],
    ];

    it.each([
      ['in each packet, its duration counted from the first', growing, 120],
      ['in each packet, its duration that of the packet', parts, 120],
      ['in each copy of the end', movedEnds, 80],
      [
        'in each packet and in copies of the end',
        [...growing, [1_120, 960, true], [1_280, 960, true]] as Row[],
        120,
      ],
    ])('%s: one press is one digit', (_, rows, ms) => {
      expect(detectedOf(press(rows))).toEqual([`5 ${ms}`]);
      // Across the wrap, and with the second and third packet in the other order, or lost.
      expect(detectedOf(press(rows.map(([at, ...more]) => [at + 0xffff_fe00, ...more])))).toEqual([
        `5 ${ms}`,
      ]);
      const swapped = [rows[0], rows[2], rows[1], ...rows.slice(3)] as Row[];
      expect(detectedOf(press(swapped))).toEqual([`5 ${ms}`]);
      expect(detectedOf(press(rows.filter((__, n) => n !== 2)))).toEqual([`5 ${ms}`]);
    });

    it.each([
      ['growing durations', growing, 960],
      ['moved copies of the end', movedEnds, 640],
    ])('with %s: two presses of one key 20 ms apart are two digits', (_, rows, length) => {
      const second = rows.map(([at, ...more]): Row => [at + length + 160, ...more]);
      expect(detectedOf([...press(rows), ...press(second, rows.length)])).toHaveLength(2);
    });
  });

  it('keeps two equal digits apart that have a pause of 20 ms between, and joins those that touch', () => {
    const two = (pauseMs: number): string[] => {
      const first = digit(5, 80);
      const begin = (first[0]?.timestamp ?? 0) + 640 + pauseMs * 8;
      const second = first.map((packet) => ({
        ...packet,
        timestamp: begin,
        tick: packet.tick + 4 + pauseMs / 20,
      }));
      return ends(received([...first, ...second])).map(({ code }) => `${code}`);
    };
    expect([two(20), two(0)]).toEqual([['5', '5'], ['5']]);
  });

  it('ignores packets of an event older than the current one', () => {
    const { packets } = sent(
      once((one) => {
        one.queue(1, 80, 60);
        one.queue(2, 80, 60);
      }),
      20,
    );
    const delayed = packets.map((packet, index) =>
      index === 1 || index === 2 ? { ...packet, tick: 9 } : packet,
    );
    const lostFirst = delayed.filter((packet, index) => packet.event === 2 || index === 1 || index === 2);
    expect(reported(received(lostFirst))).toEqual(['begin 2', 'end 2 80 end']);
  });

  it('joins the segments of a long event', () => {
    const { packets } = sent(
      once((one) => one.queue(10, 9_000, 80)),
      460,
    );
    expect(reported(received(packets))).toEqual(['begin 10', 'end 10 9000 end']);
    expect(ends(received(packets, ({ duration }) => duration !== 65_535))[0]?.durationMs).toBe(9_000);
  });

  it('takes a saturated duration for a normal digit', () => {
    const packet = { event: 8, end: true, volume: 10, duration: 65_535, timestamp: 4, marker: true, tick: 0 };
    expect(reported(received([packet]))).toEqual(['begin 8', 'end 8 8191.875 end']);
  });

  it('numbers the digits as RFC 4733 does', () => {
    expect(['0', '9', '*', '#', 'A', 'D'].map((one) => EVENT_DIGITS.indexOf(one))).toEqual([
      0, 9, 10, 11, 12, 15,
    ]);
  });

  it('reports other events too, by their code', () => {
    expect(reported(received(digit(36, 40)))).toEqual(['begin 36', 'end 36 40 end']);
  });

  it.each([10, 30, 40, 50])('hears peers that send every %d ms', (everyMs) => {
    const packets: SentPacket[] = [];
    for (let ms = everyMs; ms <= 600; ms += everyMs) {
      const tick = ms / 20;
      packets.push({
        event: 11,
        end: false,
        volume: 10,
        duration: ms * 8,
        timestamp: 77,
        marker: false,
        tick,
      });
    }
    const detected: ReceivedEvent[] = [];
    const receiver = new EventReceiver((event) => detected.push(event));
    for (let nowMs = 0; nowMs < 1_200; nowMs += 10) {
      const packet = packets.find(({ tick }) => tick * 20 === nowMs);
      if (packet !== undefined) receiver.push(1, 77, packet, nowMs);
      receiver.tick(nowMs);
    }
    expect(reported(detected)).toEqual(['begin 11', 'end 11 600 silence']);
  });

  it('ends what sounds when stopped', () => {
    const detected: ReceivedEvent[] = [];
    const receiver = new EventReceiver((event) => detected.push(event));
    receiver.push(1, 5, { event: 1, end: false, volume: 10, duration: 320 }, 40);
    expect(receiver.sounding).toBe(true);
    receiver.stop();
    receiver.stop();
    expect(reported(detected)).toEqual(['begin 1', 'end 1 40 silence']);
    expect(receiver.sounding).toBe(false);
  });
});
