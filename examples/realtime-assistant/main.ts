import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents/realtime';
import { TwilioRealtimeTransportLayer } from '@openai/agents-extensions';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { IvrCommand } from '#sdk/js/src/contract/api.codes.ts';
import { end, enterIvr, say } from '#sdk/js/src/flow/index.ts';
import { serve } from '../kit.ts';

/*
 * A voice assistant by the realtime client of a public agents library, which speaks the usual media-stream WebSocket: its transport takes
 * the socket of the platform without change. The caller may interrupt it, and is handed over to a person when it asks for one.
 *
 *   caller ── platform ── ws: media stream ── this program ── wss: realtime service
 *
 *   OPENAI_API_KEY=… npm run example realtime-assistant             # the service of the library
 *   OPENAI_API_KEY=… npm run example realtime-assistant wss://…     # another one that speaks its protocol
 */

const PORT = Number(process.env.BOT_PORT ?? 3_002);
const [service] = process.argv.slice(3);
const apiKey = process.env.OPENAI_API_KEY;
if (apiKey === undefined) {
  console.error('No key for the realtime service. Set OPENAI_API_KEY, and start again.');
  process.exit(1);
}

/** Callers that want a person, by the participant of the call. */
const wantsPerson = new Set<string>();

const person = (participant: string, hangUp: () => void) =>
  tool({
    name: 'call_person',
    description: 'Hands the caller over to a person. Use it when the caller asks for one, or is in need.',
    parameters: z.object({ reason: z.string() }),
    execute: async ({ reason }) => {
      console.log(`wants a person: ${reason}`);
      wantsPerson.add(participant);
      hangUp();
      return 'The caller is being connected.';
    },
  });

const agentFor = (participant: string, hangUp: () => void): RealtimeAgent =>
  new RealtimeAgent({
    name: 'Reception',
    instructions: 'You answer the telephone of a care service. Speak in short sentences.',
    tools: [person(participant, hangUp)],
  });

/** One call: the assistant lives as long as the socket of its stream. */
async function assist(socket: WebSocket, participant: string): Promise<void> {
  const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket: socket });
  const hangUp = (): void => socket.close(1_000);
  const session = new RealtimeSession(agentFor(participant, hangUp), {
    transport,
    model: 'gpt-realtime',
    // Nothing of a call is kept at the service beyond it.
    tracingDisabled: true,
  });
  session.on('audio_interrupted', () => console.log('the caller interrupts'));
  session.on('transport_event', (event) => {
    if (event.type === 'response.output_audio_transcript.done') console.log(`assistant: ${event.transcript}`);
    if (event.type === 'conversation.item.input_audio_transcription.completed')
      console.log(`caller: ${event.transcript}`);
  });
  // A service that fails must not leave the caller in silence: the next command is a sentence, then a person.
  session.on('error', ({ error }) => {
    console.log(
      `the realtime service failed: ${error instanceof Error ? error.message : JSON.stringify(error)}`,
    );
    wantsPerson.add(participant);
    hangUp();
  });
  socket.on('close', () => session.close());
  try {
    await session.connect({ apiKey: apiKey ?? '', ...(service !== undefined && { url: service }) });
    console.log('the assistant listens');
  } catch (cause) {
    console.log(`no realtime service: ${cause instanceof Error ? cause.message : cause}`);
    wantsPerson.add(participant);
    hangUp();
  }
}

const bot = new WebSocketServer({ host: '127.0.0.1', port: PORT });
bot.on('error', () => {
  console.error(`Port ${PORT} has another program. Set BOT_PORT, and start again.`);
  process.exit(1);
});
// The participant stands in the address: the transport reads the messages of the stream itself.
bot.on('connection', (socket, { url = '/' }) => void assist(socket, decodeURIComponent(url.slice(1))));

const stream = (participant: string): IvrCommand => ({
  stream: {
    url: `ws://127.0.0.1:${PORT}/${encodeURIComponent(participant)}`,
    framing: 'mediaStream',
    bidirectional: true,
    playMode: 'replace',
  },
});

/** The caller waits for whoever of these is free first. */
const queue: IvrCommand = {
  phrases: [say('I connect you with a person.')],
  enqueue: { queue: 'reception', agents: ['operator', 'expert'], maxWait: 120 },
};

await serve({
  newCall: () => enterIvr(),
  getIvrCommand: ({ lastCommandResult, participantId }) => {
    if (lastCommandResult === undefined) return stream(participantId);
    if (lastCommandResult.queue !== undefined) return end([say('No person is free. We call you back.')]);
    const hasFailed = lastCommandResult.stream === 'error';
    return wantsPerson.delete(participantId) || hasFailed ? queue : end([say('Goodbye.')]);
  },
  callAnswered: ({ queue: served }) => {
    if (served !== undefined) console.log(`${served.agent} has the caller`);
  },
  callEvent: () => ({ action: 'drop' }),
  streamStopped: ({ reason }) => console.log(`stream over: ${reason}`),
  streamFailed: ({ reason }) => console.log(`stream failed: ${reason}`),
});
