import { readFileSync } from 'node:fs';
import { type MessageCommand, messageCommandSchema } from '#shared/contract/runtime/index.ts';
import { ok } from '#shared/result.ts';
import type { ApplianceConfig } from '../config.ts';
import { CommandQueueBroker, type QueueCertificate, type QueueCommand } from '../io/command-queue/index.ts';
import { bearerCrypto } from '../io/door/index.ts';
import type { AnswerOperation } from '../operation/index.ts';
import { admissionDesk } from '../runtime/operation-desk.ts';
import type { RuntimePorts } from '../runtime/port.ts';
import type { CommandQueue } from '../runtime/sip-message/index.ts';
import type { HostIdentity } from '../site/index.ts';

interface QueueParts extends Pick<RuntimePorts, 'clock' | 'tenant' | 'place' | 'log'> {
  readonly operate: AnswerOperation;
}

/** The command queue of the site, joined to the operations of the other doors. */
export interface Queue {
  readonly face: CommandQueue | undefined;
  /** Opens with a certificate, or shows a new one; without any it stays shut. */
  readonly open: (identity: HostIdentity | undefined) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** `parts` are asked when somebody comes: the operations may be joined later. */
export function queueOf(config: ApplianceConfig, parts: () => QueueParts): Queue {
  const listen = config.commandQueue;
  if (listen === undefined)
    return { face: undefined, open: async () => undefined, close: async () => undefined };
  const domain = (): string => parts().tenant().domain;
  const broker = new CommandQueueBroker({
    listen,
    domain,
    admit: (token) => admissionDesk(parts(), bearerCrypto())(token),
    perform: (asked) => perform(asked, domain(), parts().operate),
    onRefused: (reason, detail) => parts().log('debug', `command queue: ${reason}`, detail),
  });
  const { hostname } = new URL(config.siteBaseUrl);
  return {
    face: {
      urlOf: (kind) => `mqtts://${hostname}:${broker.port ?? listen.port}/cmd/${domain()}/${kind}`,
      tell: (topic, event) => broker.tell(topic, event),
    },
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

/** A command is the operation of the same name; its answer is that of the HTTP doors. */
async function perform(
  { kind, command, token }: QueueCommand,
  domain: string,
  operate: AnswerOperation,
): Promise<Readonly<Record<string, unknown>>> {
  const read = kind === 'message' ? messageCommandSchema.safeParse(command) : undefined;
  if (read?.success !== true) {
    const reason =
      kind === 'message'
        ? 'the command is no {"method": "MESSAGE", …}; see /asyncapi.json'
        : 'this version takes no commands of this kind here; use the HTTP operations';
    return { success: false, reason, error: { code: 'invalid' } };
  }
  const answer = await operate({
    operation: 'message',
    domain,
    authorization: `Bearer ${token}`,
    body: () => ok(bodyOf(read.data)),
  });
  return answer.body;
}

const bodyOf = ({ method: _method, id: _id, ...message }: MessageCommand): object => message;
