import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';

export type JanusEvent = Readonly<Record<string, unknown>> & {
  readonly janus?: string;
  readonly plugindata?: { readonly data: Readonly<Record<string, unknown>> };
  readonly jsep?: { readonly type: string; readonly sdp: string };
};

/** A gateway between WebRTC and SIP, by its WebSocket interface, with one handle of one plugin. */
export interface Janus {
  readonly events: JanusEvent[];
  /** Resolves with the first event that fits, also one that came before. */
  readonly until: (fits: (event: JanusEvent) => boolean) => Promise<JanusEvent>;
  readonly send: (body: object, jsep?: { readonly type: string; readonly sdp: string }) => void;
  readonly stop: () => Promise<void>;
}

const OTHERS =
  'libjanus_http.so,libjanus_pfunix.so,libjanus_mqtt.so,libjanus_rabbitmq.so,libjanus_nanomsg.so';

/** Janus with its SIP plugin on 127.0.0.1, and a handle of it. */
export async function startJanus(folder: string, port: number): Promise<Janus> {
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
  file(
    'janus.jcfg',
    `general: { configs_folder = "${folder}", debug_level = 4, server_name = "carillon-peer" }
    media: { rtp_port_range = "41000-41099" }
    plugins: { disable = "libjanus_lua.so,libjanus_duktape.so,libjanus_voicemail.so,libjanus_recordplay.so" }
    transports: { disable = "${OTHERS}" }
    events: { broadcast = false }`,
  );
  file(
    'janus.transport.websockets.jcfg',
    `general: { ws = true, ws_port = ${port}, ws_ip = "127.0.0.1", wss = false }
    admin: { admin_ws = false }`,
  );
  file(
    'janus.plugin.sip.jcfg',
    'general: { local_ip = "127.0.0.1", behind_nat = false, rtp_port_range = "41100-41199" }',
  );
  const child = spawn('janus', ['-F', folder, '-o'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      words = (words + bytes.toString()).slice(-20_000);
    });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('janus is not installed')));
    child.once('exit', (code) => reject(new Error(`janus ended with ${code}\n${words}`)));
  });
  failed.catch(() => undefined);
  const socket = await Promise.race([opened(port), failed]);
  const events: JanusEvent[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (text) => {
    events.push(JSON.parse(String(text)) as JanusEvent);
    for (const look of [...waiting]) look();
  });
  const until = (fits: (event: JanusEvent) => boolean): Promise<JanusEvent> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`janus: nothing fits; ${JSON.stringify(events.slice(-6))}\n${words}`)),
        40_000,
      );
      const look = (): void => {
        const found = events.find(fits);
        if (found === undefined) return;
        clearTimeout(late);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  let transactions = 0;
  let handle: object = {};
  const say = (janus: string, more: object = {}): string => {
    const transaction = `t${++transactions}`;
    socket.send(JSON.stringify({ janus, transaction, ...handle, ...more }));
    return transaction;
  };
  const answerTo = async (transaction: string): Promise<{ readonly id: number }> =>
    (await until((each) => each.transaction === transaction)).data as { readonly id: number };
  const session = await answerTo(say('create'));
  handle = { session_id: session.id };
  const attached = await answerTo(say('attach', { plugin: 'janus.plugin.sip' }));
  handle = { session_id: session.id, handle_id: attached.id };
  const alive = setInterval(
    () => socket.send(JSON.stringify({ janus: 'keepalive', transaction: 'k', session_id: session.id })),
    20_000,
  );
  return {
    events,
    until,
    send: (body, jsep) => void say('message', { body, ...(jsep && { jsep }) }),
    async stop() {
      clearInterval(alive);
      socket.close();
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(late);
    },
  };
}

/** Once it listens. */
async function opened(port: number): Promise<WebSocket> {
  const untilMs = performance.now() + 30_000;
  for (;;) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, 'janus-protocol');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (open) return socket;
    if (performance.now() > untilMs) throw new Error('janus does not listen');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
