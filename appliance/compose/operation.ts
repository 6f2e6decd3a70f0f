import type { Log } from '#shared/log.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import { createOperations, type OperationSetting } from '../engine/operations.ts';
import { bearerCrypto } from '../io/site-listener/index.ts';
import { type AnswerOperation, type PersonPorts, UsedStatements } from '../operation/index.ts';
import { clock } from './adapters.ts';
import type { LateParts } from './late-part.ts';
import type { HostStanding } from './status.ts';

/** The engines that carry out the operations of applications in this loop. */
const operationSetting = (
  runtime: ApplianceEngine,
  { verifyReply, person }: Pick<OperationSetting, 'verifyReply' | 'person'>,
): OperationSetting => ({
  commands: runtime.commands,
  alarmStreams: runtime.alarmStreams,
  sender: runtime.sending.sender,
  messages: runtime.messages,
  handshakes: runtime.handshakes,
  media: runtime.media,
  mediaSessions: runtime.media.shown,
  remote: runtime.remote,
  recordings: runtime.recordings,
  crypto: bearerCrypto(),
  verifyReply,
  person,
});

/** Operations as this host does them, in its own name or in that of a host that is lost. */
export function operationsAs(
  { engine, ports }: Pick<LateParts, 'engine' | 'ports'>,
  standing: HostStanding,
  log: Log,
): (hostId: string) => AnswerOperation {
  let setting: OperationSetting | undefined;
  const used = new UsedStatements(clock.wallMs());
  const admitted: PersonPorts['admitted'] = ({ sub, role, operation, jti }) =>
    log('info', 'person.admitted', 'Let a person of the control plane ask this host', {
      person: sub,
      role,
      operation,
      statement: jti,
    });
  return (hostId) => {
    setting ??= operationSetting(engine.now, {
      verifyReply: (input, signature) => standing.now.verify(input, signature),
      person: () => ({ ...standing.now.person, used, admitted }),
    });
    const { tenant, place } = ports.now;
    return createOperations({ clock, tenant, place: { ...place, hostId } }, setting);
  };
}
