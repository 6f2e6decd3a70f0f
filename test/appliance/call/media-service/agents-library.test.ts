import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { TwilioRealtimeTransportLayer } from '@openai/agents-extensions';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { NOTHING_LEFT, type TwoTelephones, twoTelephones } from '#test/support/media-house.ts';

/* The media-stream client of a public agents library, against a realtime server of the test that echoes what it hears. */
let house: TwoTelephones;
const servers: WebSocketServer[] = [];

beforeEach(async () => {
  house = await twoTelephones();
});
afterEach(async () => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(take: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  servers.push(server);
  server.on('connection', take);
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const during = (condition: () => boolean) =>
  until(() => {
    void house.net.after(20);
    return condition();
  }, 20_000);

it('hears the caller, and the caller hears it', async () => {
  const { app, anna } = house;
  const received: Buffer[] = [];
  const realtime = await serve((socket) => {
    socket.send(JSON.stringify({ type: 'session.created', event_id: 'e', session: {} }));
    socket.on('message', (text: Buffer) => {
      const said = JSON.parse(text.toString());
      if (said.type !== 'input_audio_buffer.append') return;
      received.push(Buffer.from(said.audio, 'base64'));
      if (received.length !== 50) return;
      const delta = Buffer.concat(received).toString('base64');
      const item = { event_id: 'e', response_id: 'r', item_id: 'i', output_index: 0, content_index: 0 };
      socket.send(JSON.stringify({ type: 'response.output_audio.delta', ...item, delta }));
      socket.send(JSON.stringify({ type: 'response.output_audio.done', ...item }));
    });
  });
  const seen: string[] = [];
  const keys: unknown[] = [];
  const errors: unknown[] = [];
  const program = await serve((socket) => {
    const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket: socket });
    transport.on('*', (event) => {
      if (event.type !== 'twilio_message') return;
      const message = event.message as { readonly event: string; readonly dtmf?: unknown };
      seen.push(message.event);
      if (message.dtmf !== undefined) keys.push(message.dtmf);
    });
    transport.on('error', (error) => errors.push(error));
    void transport.connect({ apiKey: 'test', url: realtime });
  });
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', { stream: { url: program, framing: 'mediaStream', bidirectional: true } });
  const call = await house.calls(anna);
  await during(() => seen.includes('media'));
  anna.audio.say(render([tone(700, 3_000, -12)]));
  anna.audio.forget();
  await during(() => seen.includes('mark'));
  expect(received.every(({ length }) => length === 160)).toBe(true);
  expect(levelAt(anna.audio.received, 700)).toBeGreaterThan(-40);
  expect(seen.slice(0, 2)).toEqual(['connected', 'start']);
  anna.audio.press('5');
  await during(() => keys.length > 0);
  expect(keys).toEqual([{ track: 'inbound_track', digit: '5' }]);
  await house.hangsUp(anna, call);
  await during(() => seen.includes('stop'));
  expect(errors).toEqual([]);
});

it('is interrupted by the caller: the call drops what the program has sent', async () => {
  const { app, anna } = house;
  const received: Buffer[] = [];
  let server: WebSocket | undefined;
  const item = { event_id: 'e', response_id: 'r', item_id: 'i', output_index: 0, content_index: 0 };
  const realtime = await serve((socket) => {
    server = socket;
    socket.send(JSON.stringify({ type: 'session.created', event_id: 'e', session: {} }));
    socket.on('message', (text: Buffer) => {
      const said = JSON.parse(text.toString());
      if (
        said.type !== 'input_audio_buffer.append' ||
        received.push(Buffer.from(said.audio, 'base64')) !== 50
      )
        return;
      // One second of the caller, ten times.
      const delta = Buffer.concat(Array(10).fill(Buffer.concat(received))).toString('base64');
      socket.send(JSON.stringify({ type: 'response.created', event_id: 'e', response: { id: 'r' } }));
      socket.send(JSON.stringify({ type: 'response.output_audio.delta', ...item, delta }));
    });
  });
  const sent: string[] = [];
  const program = await serve((socket) => {
    const send = socket.send.bind(socket);
    socket.send = (data: string) => {
      sent.push(JSON.parse(data).event);
      send(data);
    };
    const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket: socket });
    void transport.connect({ apiKey: 'test', url: realtime });
  });
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', { stream: { url: program, framing: 'mediaStream', bidirectional: true } });
  const call = await house.calls(anna);
  anna.audio.say(render([tone(700, 1_500, -12)]));
  await during(() => sent.includes('media') && levelAt(anna.audio.received.slice(-8_000), 700) > -30);
  server?.send(
    JSON.stringify({
      type: 'input_audio_buffer.speech_started',
      event_id: 'e',
      audio_start_ms: 0,
      item_id: 'u',
    }),
  );
  await during(() => sent.includes('clear'));
  await house.net.after(200, 20);
  anna.audio.forget();
  await house.net.after(600, 20);
  expect(levelAt(anna.audio.received, 700)).toBeLessThan(-45);
  await house.hangsUp(anna, call);
});
