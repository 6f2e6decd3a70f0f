import { WebSocketServer } from 'ws';
import { enterIvr } from '#sdk/js/src/flow/index.ts';
import { serve } from '../kit.ts';

/*
 * A program that hears a caller and speaks to it: an echo, two seconds later. It is the frame of a voice assistant: audio comes in
 * by 20 ms, goes out as fast as the program has it, a mark says that it was heard, and clear stops it when the caller presses a key.
 */

const PORT = Number(process.env.BOT_PORT ?? 3_001);
/** Messages of 20 ms that make one answer. */
const ANSWER = 100;

interface Message {
  readonly event: string;
  readonly start?: {
    readonly streamSid: string;
    readonly customParameters: Readonly<Record<string, string>>;
  };
  readonly media?: { readonly payload: string };
  readonly dtmf?: { readonly digit: string };
  readonly mark?: { readonly name: string };
}

const bot = new WebSocketServer({ host: '127.0.0.1', port: PORT });
bot.on('error', () => {
  console.error(`Port ${PORT} has another program. Set BOT_PORT, and start again.`);
  process.exit(1);
});
bot.on('connection', (socket) => {
  let streamSid = '';
  let heard: string[] = [];
  let answers = 0;
  const say = (message: object): void => socket.send(JSON.stringify({ streamSid, ...message }));

  /** Says back what was heard, and asks to be told when the caller has heard it. */
  function answer(): void {
    const audio = Buffer.concat(heard.map((payload) => Buffer.from(payload, 'base64')));
    heard = [];
    say({ event: 'media', media: { payload: audio.toString('base64') } });
    say({ event: 'mark', mark: { name: `answer ${++answers}` } });
  }

  socket.on('message', (data) => {
    const message: Message = JSON.parse(String(data));
    switch (message.event) {
      case 'start':
        streamSid = message.start?.streamSid ?? '';
        console.log(`hears ${message.start?.customParameters.caller ?? 'a caller'}`);
        break;
      case 'media':
        heard.push(message.media?.payload ?? '');
        if (heard.length === ANSWER) answer();
        break;
      case 'mark':
        console.log(`the caller has heard ${message.mark?.name}`);
        break;
      case 'dtmf':
        console.log(`key ${message.dtmf?.digit}`);
        say({ event: 'clear' });
        if (message.dtmf?.digit === '#') socket.close(1_000);
        break;
      case 'stop':
        console.log('the caller has hung up');
    }
  });
});

await serve({
  newCall: () => enterIvr(),
  getIvrCommand: ({ lastCommandResult, participantId }) =>
    lastCommandResult === undefined
      ? {
          stream: {
            url: `ws://127.0.0.1:${PORT}/`,
            framing: 'mediaStream',
            bidirectional: true,
            customParameters: { caller: participantId },
          },
        }
      : { hangup: true },
  callEvent: () => ({ action: 'drop' }),
  streamStopped: ({ reason }) => console.log(`stream over: ${reason}`),
  streamFailed: ({ reason }) => console.log(`stream failed: ${reason}`),
});
