import { uuid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { OperationFailure, RunningAlarms } from '../operation/index.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import type { RuntimePorts } from './port.ts';
import type { AlarmVoiceDesk, CommandOutcome } from './voice/index.ts';

type Done = Result<undefined, OperationFailure>;

/** Commands of applications on their way to devices: each is answered once, by what became of it. */
export class CommandBook implements RunningAlarms {
  readonly #ports: RuntimePorts;
  readonly #desk: AlarmDesk;
  readonly #waiting = new Map<string, (done: Done) => void>();

  constructor(ports: RuntimePorts, desk: AlarmDesk, voice: AlarmVoiceDesk) {
    this.#ports = ports;
    this.#desk = desk;
    voice.onOutcome = (id, outcome) => this.#over(id, outcome);
  }

  readonly command: RunningAlarms['command'] = (sessionId, { command, parameters }) =>
    this.#ask(sessionId, (conversation, id) =>
      this.#desk.input(conversation, {
        type: 'command',
        id,
        command,
        ...(parameters && { parameters: withoutUndefined(parameters) }),
      }),
    );

  readonly hangUp: RunningAlarms['hangUp'] = (sessionId) =>
    this.#ask(sessionId, (conversation, id) => this.#desk.input(conversation, { type: 'hangup', id }));

  #ask(sessionId: string, ask: (conversation: string, id: string) => void): Promise<Done> | undefined {
    const known = this.#desk.bySession(sessionId);
    if (known === undefined) return undefined;
    const id = uuid(this.#ports.random(16));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      ask(known.conversation, id);
    });
  }

  #over(id: string, outcome: CommandOutcome): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (outcome.kind === 'done') resolve?.(ok(undefined));
    else {
      const code = outcome.code === 'badTones' ? 'invalid' : outcome.code;
      resolve?.(fail(code, outcome.reason));
    }
  }
}

const withoutUndefined = ({
  duration,
  toneString,
}: {
  duration?: number | undefined;
  toneString?: string | undefined;
}) => ({
  ...(duration !== undefined && { duration }),
  ...(toneString !== undefined && { toneString }),
});
