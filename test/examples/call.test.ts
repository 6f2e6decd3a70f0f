import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { render, silence, tone } from '#appliance/media/dtmf/index.ts';
import { wavOf } from '#test/appliance/io/prompt/sound.ts';
import { freePorts } from '#test/support/site-port.ts';
import { openDemo, type RunningDemo } from './demo.ts';
import { realtimeService } from './realtime-service.ts';
import type { Started } from './started.ts';

/* The call flows of the examples, with simulated telephones. */
let demo: RunningDemo;

beforeAll(async () => {
  demo = await openDemo();
}, 300_000);
afterAll(async () => {
  await demo?.close();
});

/** Without a password: the telephones find that of the demo. */
const sip = (): string[] => ['--to', String(demo.ready.sip)];
const telephone = (...words: string[]): Started => demo.carillon('simulate', 'sip', ...sip(), ...words);
const caller = (...words: string[]): Started =>
  telephone('--device', 'analogue-0001', '--call', 'switchboard', ...words);

async function during(name: string, words: readonly string[], work: (example: Started) => Promise<void>) {
  const example = demo.example(name, ...words);
  try {
    await example.says(/takes callbacks/);
    await work(example);
  } finally {
    await example.stop();
  }
}

async function open(device: string, ...words: string[]): Promise<Started> {
  const phone = telephone('--device', device, ...words);
  await phone.says(/is registered/);
  return phone;
}

/** The files of this kind that an example has written, with their sizes. */
const files = (end: string): number[] =>
  readdirSync(demo.folder)
    .filter((name) => name.endsWith(end))
    .map((name) => readFileSync(join(demo.folder, name)).length);

it('voicemail: the message lies here as a file', async () => {
  await during('voicemail', [], async (example) => {
    const phone = caller('--say', 'Hello, this is a message.', '--digits', '#');
    const [, bytes] = await example.says(/message voicemail-.*\.wav of (\d+) bytes/);
    expect(Number(bytes)).toBeGreaterThan(8_000);
    expect(files('.wav')).toEqual([Number(bytes)]);
    await phone.ended;
  });
}, 180_000);

it('echo bot: the caller hears what it has said, and the stream ends with the call', async () => {
  await during('echo-bot', [], async (example) => {
    const phone = caller('--say', 'Hello, is this the echo of my own voice?', '--talk', '30');
    await example.says(/hears \S+/);
    await example.says(/the caller has heard answer 1/);
    await phone.says(/hears the other side/);
    await phone.stop();
    await example.says(/stream over: callEnded/);
  });
}, 180_000);

it('voice assistant: the answer is understood by its recogniser', async () => {
  await during('voice-assistant', [], async (example) => {
    const phone = caller('--say', 'Hello.', '--talk', '40');
    await example.says(/question: recognised (short|long)/);
    await phone.stop();
  });
}, 180_000);

it('realtime assistant: the caller is answered, interrupts it, and is handed over to a person', async () => {
  const service = await realtimeService();
  process.env.OPENAI_API_KEY = 'a key of the test';
  try {
    await during('realtime-assistant', [service.url], async (example) => {
      const operator = await open('operator', '--talk', '60');
      const utterance = [tone(400, 700, -12), silence(6_000)];
      const voice = join(demo.folder, 'caller.wav');
      writeFileSync(voice, wavOf(render(Array(6).fill(utterance).flat()), 8_000));
      const phone = caller('--play', voice, '--talk', '60');
      await example.says(/the assistant listens/);
      await example.says(/assistant: How can I help you\?/);
      await phone.says(/hears the other side/);
      expect(service.authorization()).toBe('Bearer a key of the test');
      // The next answer is longer than the pause of the caller.
      service.answerSeconds = 20;
      await example.says(/the caller interrupts/);
      const hasCut = (): boolean =>
        service.received.some(({ type }) => type === 'conversation.item.truncate');
      await expect.poll(hasCut, { timeout: 20_000 }).toBe(true);
      service.callsTool = { name: 'call_person', arguments: { reason: 'asks for a person' } };
      await example.says(/wants a person: asks for a person/);
      await example.says(/stream over: closedByProgram/);
      await example.says(/operator has the caller/);
      await phone.stop();
      await operator.stop();
    });
  } finally {
    delete process.env.OPENAI_API_KEY;
    await service.close();
  }
}, 240_000);

it('realtime assistant: without its service the caller gets a person', async () => {
  process.env.OPENAI_API_KEY = 'a key of the test';
  const [port = 0] = await freePorts('127.0.0.1', 1);
  try {
    await during('realtime-assistant', [`ws://127.0.0.1:${port}/`], async (example) => {
      const operator = await open('operator', '--talk', '60');
      const phone = caller('--talk', '60');
      await example.says(/no realtime service|the realtime service failed/);
      await example.says(/operator has the caller/);
      await phone.stop();
      await operator.stop();
    });
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
}, 240_000);

it('PIN menu: a wrong PIN is asked for again, the right one leads to the menu', async () => {
  await during('pin-menu', [], async (example) => {
    const wrong = caller('--digits', '9999', '--talk', '30');
    await example.says(/PIN wrong, attempt 1\nstep pin/);
    await wrong.stop();
    const right = caller('--digits', '1234', '--talk', '30');
    await example.says(/PIN right\nstep menu/);
    await right.stop();
  });
}, 180_000);

it('queue: the second caller waits until the first one has been served', async () => {
  await during('queue', [], async (example) => {
    const operator = await open('operator', '--talk', '60');
    const first = caller('--talk', '40');
    const [, one] = await example.says(/serves (\S+)/);
    await operator.says(/hears the other side/);
    const second = caller('--talk', '40');
    await example.says(/waits \S+\n(?:.*\n)*waits (\S+)/);
    await first.stop();
    await example.says(/free, 1 wait\nserves (\S+)/);
    expect(example.text().match(/serves (\S+)/g)).toHaveLength(2);
    expect(example.text()).toContain(`serves ${one}`);
    await second.stop();
    await example.says(/free, 0 wait/);
    await operator.stop();
  });
}, 240_000);

it('call queue: an agent serves the first caller, and the second one after its pause', async () => {
  await during('call-queue', [], async (example) => {
    const operator = await open('operator', '--talk', '60');
    const first = caller('--talk', '40');
    const [, one] = await example.says(/operator serves (\S+)/);
    const second = caller('--talk', '40');
    await example.says(/waits \S+\n(?:.*\n)*waits (\S+)/);
    await first.stop();
    await example.says(/operator serves (\S+)(?:.*\n)*operator serves (?!\1)\S+/);
    expect(example.text()).toContain(`operator serves ${one}`);
    await second.stop();
    await operator.stop();
  });
}, 240_000);

it('call queue: without agents the caller hears it and is let go', async () => {
  await during('call-queue', [], async (example) => {
    const phone = caller('--talk', '40');
    await example.says(/an agent was not reached: \d+/);
    await example.says(/was not served: noAgents/);
    await phone.stop();
  });
}, 180_000);

it('conference: three parties, and the expert whispers to the operator', async () => {
  await during('conference-whisper', [], async (example) => {
    const operator = await open('operator', '--talk', '60');
    const expert = await open('expert', '--talk', '60');
    const phone = caller('--talk', '40');
    for (const party of ['caller', 'operator', 'expert']) await example.says(new RegExp(`${party} joins`));
    await example.says(/the expert whispers to the operator/);
    for (const each of [phone, operator, expert]) await each.stop();
  });
}, 240_000);

it('reminder calls: confirmed ones and unreached ones are kept apart', async () => {
  const operator = await open('operator', '--digits', '1', '--talk', '20');
  const example = demo.example('reminder-calls', 'operator', 'expert');
  try {
    await example.says(/operator: (confirmed|heard)/);
    await example.says(/expert: not reached \(/);
    expect(await example.ended).toBe(0);
  } finally {
    await example.stop();
    await operator.stop();
  }
}, 180_000);

it('SIPREC recorder: audio and metadata lie here', async () => {
  await during('siprec-recorder', [], async (example) => {
    const client = demo.carillon('simulate', 'siprec', 'client', ...sip(), '--seconds', '1');
    await client.says(/the session was taken and recorded/);
    await example.says(/session \S+: sip:anna@caller\.example, sip:bo@callee\.example/);
    const [, bytes] = await example.says(/recorded siprec-\S+ of (\d+) bytes/);
    expect(Number(bytes)).toBeGreaterThan(50_000);
    expect(files('.xml')[0]).toBeGreaterThan(100);
  });
}, 180_000);
