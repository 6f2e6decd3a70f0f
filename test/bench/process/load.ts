import { CallStream } from './call-stream.ts';
import type { LoadAnswer, LoadAsk, LoadSetting } from './load-setting.ts';
import { LoadStream } from './load-stream.ts';
import { RegisterStream } from './register-stream.ts';
import { type Served, serveParent } from './serve-parent.ts';

const KINDS = {
  message: LoadStream,
  alarm: LoadStream,
  heartbeat: LoadStream,
  register: RegisterStream,
  call: CallStream,
} as const;

/** The load generator: SIP devices over UDP, as cheap as a process of the same language can be. */
async function start(setting: LoadSetting): Promise<Served<null, LoadAsk, LoadAnswer>> {
  const streams = new Map<string, LoadStream | RegisterStream | CallStream>();
  for (const stream of setting.streams) {
    const kind = KINDS[stream.kind];
    streams.set(stream.name, await kind.open(stream));
  }
  let turn = [...streams.values()];
  const ticker = setInterval(() => {
    const hasSent = turn.map((stream) => stream.tick());
    // A program that wakes first finds the caches of its core cold; the next one finds them filled with the same code. All
    // come first equally often.
    if (hasSent.includes(true)) turn = [...turn.slice(1), ...turn.slice(0, 1)];
  }, 1);
  const counts = () => Object.fromEntries([...streams].map(([name, stream]) => [name, stream.count()]));
  return {
    ready: null,
    async answer(ask) {
      if (ask.kind === 'pace') {
        for (const [name, perSecond] of Object.entries(ask.perSecond)) streams.get(name)?.pace(perSecond);
      } else if (ask.kind === 'keep') streams.get(ask.stream)?.keep(ask.inFlight);
      else if (ask.kind === 'begin') await streams.get(ask.stream)?.begin(ask.count, ask.perSecond);
      else if (ask.kind === 'drain') {
        const ends = [...streams.values()].map((stream) => stream.drained(ask.ms));
        await Promise.all(ends);
      }
      return counts();
    },
    async close() {
      clearInterval(ticker);
      for (const stream of streams.values()) stream.close();
    },
  };
}

serveParent(start);
