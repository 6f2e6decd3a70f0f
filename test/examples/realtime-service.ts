import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** Louder than this is speech: magnitude of a mu-law sample, whose bits are sent inverted. */
const LOUD = 0x40;
const FRAME_BYTES = 160;
/** Quiet frames of 20 ms that end an utterance, and loud ones that begin it. */
const END_FRAMES = 25;
const BEGIN_FRAMES = 5;
/** A tone of 1 s as mu-law: what the service "says". */
const ANSWER = Buffer.from(Array.from({ length: 8_000 }, (_, at) => (at % 10 < 5 ? 0x1f : 0x9f)));

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

/** The messages that a client has sent, by kind. */
export interface RealtimeService {
  readonly url: string;
  readonly received: readonly Event[];
  /** Authorization header of the client. */
  readonly authorization: () => string | undefined;
  /** The next answers are long, so that a caller can interrupt them: seconds. */
  answerSeconds: number;
  /** The next utterance is answered by this call of a tool. */
  callsTool: { readonly name: string; readonly arguments: object } | undefined;
  close(): Promise<void>;
}

/** A realtime service on loopback: hears utterances by their level, and answers each with a tone, as the protocol has it. */
export async function realtimeService(): Promise<RealtimeService> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const received: Event[] = [];
  let authorization: string | undefined;
  const service = {
    received,
    authorization: () => authorization,
    answerSeconds: 1,
    callsTool: undefined as RealtimeService['callsTool'],
    async close(): Promise<void> {
      for (const client of server.clients) client.terminate();
      await new Promise((done) => server.close(done));
    },
  };
  server.on('connection', (socket, request) => {
    authorization = request.headers.authorization;
    talk(socket, service, received);
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, { url: `ws://127.0.0.1:${port}/v1/realtime` });
}

function talk(
  socket: WebSocket,
  service: Pick<RealtimeService, 'answerSeconds' | 'callsTool'>,
  received: Event[],
): void {
  let [turns, loud, quiet, isSpeaking] = [0, 0, 0, false];
  const send = (event: object): void =>
    socket.send(JSON.stringify({ event_id: `event-${++events}`, ...event }));
  let events = 0;
  send({ type: 'session.created', session: {} });

  function arrived(frame: Buffer): void {
    const isLoud = frame.some((sample) => (~sample & 0x7f) > LOUD);
    [loud, quiet] = isLoud ? [loud + 1, 0] : [0, quiet + 1];
    if (!isSpeaking && loud >= BEGIN_FRAMES) {
      isSpeaking = true;
      send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: `in-${turns}` });
    } else if (isSpeaking && quiet >= END_FRAMES) {
      isSpeaking = false;
      send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 0, item_id: `in-${turns}` });
      answer();
    }
  }

  function answer(): void {
    const turn = ++turns;
    const [response_id, item_id] = [`response-${turn}`, `out-${turn}`];
    send({ type: 'response.created', response: { id: response_id, status: 'in_progress', output: [] } });
    if (service.callsTool === undefined) speak(response_id, item_id);
    else {
      const { name, arguments: given } = service.callsTool;
      const item = { id: item_id, type: 'function_call', status: 'completed', call_id: `call-${turn}`, name };
      const done = { ...item, arguments: JSON.stringify(given) };
      send({ type: 'response.output_item.done', response_id, output_index: 0, item: done });
    }
    send({
      type: 'response.done',
      response: { id: response_id, status: 'completed', output: [], usage: {} },
    });
  }

  function speak(response_id: string, item_id: string): void {
    const place = { response_id, item_id, output_index: 0, content_index: 0 };
    const item = { id: item_id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    send({ type: 'response.output_item.added', response_id, output_index: 0, item });
    for (let second = 0; second < service.answerSeconds; second++)
      send({ type: 'response.output_audio.delta', ...place, delta: ANSWER.toString('base64') });
    send({ type: 'response.output_audio_transcript.done', ...place, transcript: 'How can I help you?' });
    const content = [{ type: 'output_audio', transcript: 'How can I help you?' }];
    const whole = { ...item, status: 'completed', content };
    send({ type: 'response.output_audio.done', ...place });
    send({ type: 'response.output_item.done', response_id, output_index: 0, item: whole });
  }

  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as Event;
    received.push(event);
    if (event.type === 'session.update') send({ type: 'session.updated', session: event.session });
    if (event.type !== 'input_audio_buffer.append') return;
    const audio = Buffer.from(String(event.audio), 'base64');
    for (let at = 0; at < audio.length; at += FRAME_BYTES) arrived(audio.subarray(at, at + FRAME_BYTES));
  });
}
