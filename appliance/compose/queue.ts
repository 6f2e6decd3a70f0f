import { readFileSync } from 'node:fs';
import type { Listen } from '#shared/setting/index.ts';
import type { ApplianceConfig } from '../config.ts';
import type { CommandQueue } from '../delivery/command-queue.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import { createAdmission } from '../engine/operations.ts';
import { CommandQueueBroker, type QueueCertificate } from '../io/command-queue/index.ts';
import { bearerCrypto } from '../io/site-listener/index.ts';
import { type AnswerOperation, answerCommand } from '../operation/index.ts';
import type { HostIdentity } from '../site/index.ts';

interface QueueParts extends Pick<EnginePorts, 'clock' | 'tenant' | 'place' | 'log'> {
  readonly operate: AnswerOperation;
}

/** The command queue of the site, joined to the operations that the HTTPS listener and the relay call. */
export interface Queue {
  readonly commands: CommandQueue | undefined;
  /** Where it listens; none: not open. */
  readonly bound: () => readonly Listen[];
  /** Opens with a certificate, or shows a new one; without any it stays shut. */
  readonly open: (identity: HostIdentity | undefined) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Each connection asks for `parts`: the operations may be joined later. */
export function queueOf(config: ApplianceConfig, parts: () => QueueParts): Queue {
  const listen = config.commandQueue;
  const [first] = listen;
  if (first === undefined)
    return {
      commands: undefined,
      bound: () => [],
      open: async () => undefined,
      close: async () => undefined,
    };
  const domain = (): string => parts().tenant().domain;
  const broker = new CommandQueueBroker({
    listen,
    domain,
    admit: (token) => createAdmission(parts(), bearerCrypto())(token),
    perform: (asked) => answerCommand(asked, domain(), parts().operate),
    onRefused: (reason, detail) =>
      parts().log('debug', 'command_queue.refused', 'The command queue refused a request', {
        problem: reason,
        ...detail,
      }),
  });
  const { hostname } = new URL(config.siteBaseUrl);
  return {
    commands: {
      urlOf: (kind) => `mqtts://${hostname}:${broker.port ?? first.port}/cmd/${domain()}/${kind}`,
      tell: (topic, event) => broker.tell(topic, event),
    },
    bound: () => broker.bound,
    open: async (identity) => {
      const certificate = certificateOf(config, identity);
      if (certificate !== undefined) await broker.secure(certificate);
    },
    close: () => broker.close(),
  };
}

function certificateOf(
  { tlsFiles }: ApplianceConfig,
  identity: HostIdentity | undefined,
): QueueCertificate | undefined {
  if (tlsFiles !== undefined)
    return { cert: readFileSync(tlsFiles.cert, 'utf8'), key: readFileSync(tlsFiles.key, 'utf8') };
  return identity && { cert: identity.certificatePem, key: identity.keyPem };
}
