import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { untilListening } from './sipp-pair.ts';

export interface RtpengineSetting {
  /** Where its RTP and its control socket are. */
  readonly host: string;
  /** Port of the control socket, NG protocol over UDP. */
  readonly port: number;
  readonly rtpPorts: { readonly from: number; readonly to: number };
}

/** rtpengine in user space; resolves when it listens. */
export async function startRtpengine({ host, port, rtpPorts }: RtpengineSetting) {
  const child = spawn(
    'rtpengine',
    [
      ...['--config-file=none', '--foreground', '--log-stderr', '--log-level=4', '--table=-1'],
      ...[`--interface=${host}`, `--listen-ng=${host}:${port}`],
      ...[`--port-min=${rtpPorts.from}`, `--port-max=${rtpPorts.to}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-20_000);
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error(`rtpengine ended: ${said}`)));
  ended.catch(() => undefined);
  await Promise.race([untilListening('udp', port), ended]);
  return {
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
