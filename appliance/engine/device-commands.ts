import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { IN_CALL_WAIT_MS } from '#shared/contract/runtime/index.ts';
import { uuid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { AlarmSessions } from '../alarm/receiving/alarm-sessions.ts';
import type { AlarmSending } from '../alarm/sending/index.ts';
import type { AlarmVoice, CommandOutcome } from '../alarm/voice/index.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { OperationFailure, RunningAlarms } from '../operation/index.ts';

type Done = Result<undefined, OperationFailure>;

type Ports = KernelPorts & TimerPorts;

/** `Chosen:` so long the telephone of a person rings who has just taken an alarm, ms. */
const QUEUE_RING_MS = 30_000;
const GIVEN_BACK = 'the person who had taken the alarm has given it back';

/** Commands that a protocol without commands of its own still has where it has a call (protocols 13). */
const OF_ANY_CALL: readonly DeviceCommand[] = ['clearDown', 'sendTones'];

/**
 * Commands of applications on their way to devices: each is answered once, by its result, or after 15 s. A device that confirms
 * later has still carried it out.
 */
export class DeviceCommands implements RunningAlarms {
  readonly #ports: Ports;
  readonly #alarmSessions: AlarmSessions;
  readonly #sending: AlarmSending;
  readonly #timers: TimerScope<'patience'>;
  /** Applications that wait for the result of a command, by its id. */
  readonly #waiting = new Map<string, (done: Done) => void>();

  constructor(ports: Ports, alarmSessions: AlarmSessions, voice: AlarmVoice, sending: AlarmSending) {
    this.#ports = ports;
    this.#alarmSessions = alarmSessions;
    this.#sending = sending;
    this.#timers = ports.timers.scope((id) =>
      this.#answer(id, fail('deviceSilent', 'the device did not confirm within 15 s')),
    );
    voice.commandOver.add((id, outcome) => this.#over(id, outcome));
  }

  readonly command: RunningAlarms['command'] = (sessionId, { command, parameters }) => {
    const given = parameters && withoutUndefined(parameters);
    if (this.#sending.speaks(sessionId))
      return this.#waitFor((id) =>
        this.#sending.command(sessionId, command, given, (outcome) => this.#over(id, outcome)),
      );
    const isFrame = this.#alarmSessions.bySession(sessionId)?.facts.protocol === 'dc09';
    if (isFrame && !OF_ANY_CALL.includes(command))
      return Promise.resolve(fail('commandNotSupported', `DC-09 has no word for ${command}`));
    return this.#ask(sessionId, (conversation, id) =>
      this.#alarmSessions.input(conversation, {
        type: 'command',
        id,
        command,
        ...(given && { parameters: given }),
      }),
    );
  };

  readonly hangUp: RunningAlarms['hangUp'] = (sessionId) => {
    if (this.#sending.hangUp(sessionId)) return Promise.resolve(ok(undefined));
    return this.#ask(sessionId, (conversation, id) =>
      this.#alarmSessions.input(conversation, { type: 'hangup', id }),
    );
  };

  readonly take: RunningAlarms['take'] = ({ sessionId, destination, accept, language }) =>
    this.#queued(sessionId, (conversation) => {
      const ringMs = QUEUE_RING_MS;
      const entry = { destination, accept, ringMs, ...(language !== undefined && { language }) };
      this.#alarmSessions.input(conversation, { type: 'list', input: { type: 'taken', entry } });
    });

  readonly release: RunningAlarms['release'] = (sessionId) =>
    this.#queued(sessionId, (conversation) =>
      this.#alarmSessions.input(conversation, {
        type: 'list',
        input: { type: 'givenBack', reason: GIVEN_BACK },
      }),
    );

  #queued(sessionId: string, act: (conversation: string) => void): Done | undefined {
    const known = this.#alarmSessions.bySession(sessionId);
    if (known === undefined) return undefined;
    if (known.session.list?.isQueued !== true || known.session.list.phase === 'ended')
      return fail(
        'conflict',
        'The operation is refused: the alarm does not wait in the alarm queue. Its own people are still called, or it is over.',
      );
    act(known.conversation);
    return ok(undefined);
  }

  #ask(sessionId: string, ask: (conversation: string, id: string) => void): Promise<Done> | undefined {
    const known = this.#alarmSessions.bySession(sessionId);
    if (known === undefined) return undefined;
    return this.#waitFor((id) => ask(known.conversation, id));
  }

  #waitFor(ask: (id: string) => void): Promise<Done> {
    const id = uuid(this.#ports.random(16));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#timers.start(id, 'patience', this.#ports.clock.monoMs() + IN_CALL_WAIT_MS);
      ask(id);
    });
  }

  #over(id: string, outcome: CommandOutcome): void {
    if (outcome.kind === 'done') this.#answer(id, ok(undefined));
    else {
      const code = outcome.code === 'badTones' ? 'invalid' : outcome.code;
      this.#answer(id, fail(code, outcome.reason));
    }
  }

  #answer(id: string, done: Done): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#timers.stop(id, 'patience');
    waiting?.(done);
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
