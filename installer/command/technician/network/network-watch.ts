import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCode, Stop } from '../../../exit-code.ts';
import { writeDurably } from '../../../io/file/durable-file.ts';
import { output, run } from '../../../io/host/host-program.ts';
import { layout, NETWORK_WATCH } from '../../../plan/index.ts';
import type { Person } from '../terminal/person.ts';

/** After our own time is over: for the case that this command has died. */
const GRACE_S = 15;

/** The way back, independent of this process, which may end with the login. */
export async function armWatch(seconds: number): Promise<void> {
  await disarmWatch();
  // A timer does not outlive a start of the machine; first the one of this start, so that it is not taken for one of another.
  for (const mark of [layout.armed, layout.unconfirmed]) writeDurably(mark, '');
  const argv = [process.execPath, 'network', 'undo'];
  const timer = ['systemd-run', '--collect', `--unit=${NETWORK_WATCH}`, `--on-active=${seconds + GRACE_S}s`];
  const armed = await run([...timer, ...argv]);
  if (armed.code !== 0) throw new Stop(exitCode.missing, `the way back cannot be armed: ${armed.err.trim()}`);
}

export async function disarmWatch(): Promise<void> {
  await run(['systemctl', 'stop', `${NETWORK_WATCH}.timer`]);
  rmSync(layout.unconfirmed, { force: true });
}

/** Is the gateway there? The kernel finds no neighbour for an address that no machine has. */
export async function reachGateway(gateway: string | undefined, person: Person): Promise<void> {
  if (gateway === undefined) return;
  for (let tries = 0; tries < 10; tries++) {
    await nudge(gateway);
    const neighbour = await output('ip', 'neigh', 'show', gateway);
    if (neighbour?.includes('lladdr') === true) return;
    await pause(500);
  }
  throw new Stop(exitCode.tryAgain, person.text('network.untested', { what: gateway }));
}

const DISCARD_PORT = 9;

/** Something that the kernel wants to send there, so that it asks who has the address. A small host has no `ping`. */
const nudge = (address: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
    const over = (): void => void socket.close(() => resolve());
    socket.once('error', over);
    socket.send(Buffer.of(0), DISCARD_PORT, address, (cause) => cause === null && over());
  });
