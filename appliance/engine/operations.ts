import { readReplyId, type VerifyEdDsa } from '../delivery/callback/index.ts';
import type { KernelPorts } from '../kernel/port.ts';
import {
  type AlarmSender,
  type AnswerOperation,
  admit,
  answerOperation,
  type BearerCrypto,
  type KnownHandshakes,
  type KnownMediaSessions,
  type MessageSender,
  type PersonPorts,
  type RecordingSessions,
  type RemoteCalls,
  type RunningAlarms,
  type RunningCalls,
  type StreamedAlarms,
} from '../operation/index.ts';
import type { TenantPorts } from '../replica/index.ts';

/** Longest life of a session, that of a media service: `maxSessionDuration` cannot be more. */
const LONGEST_SESSION_S = 604_800;

export interface OperationSetting {
  readonly commands: RunningAlarms;
  readonly alarmStreams: StreamedAlarms;
  readonly sender: AlarmSender;
  readonly messages: MessageSender;
  readonly handshakes: KnownHandshakes;
  readonly media: RunningCalls;
  readonly mediaSessions: KnownMediaSessions;
  readonly remote: RemoteCalls;
  readonly recordings?: RecordingSessions | undefined;
  readonly crypto: BearerCrypto;
  /** Verifies reply ids by the site key. */
  readonly verifyReply: VerifyEdDsa;
  /** How persons are believed who are signed in to the control plane; whether the tenant lets them is asked here. */
  readonly person?: (() => Omit<PersonPorts, 'accepted' | 'sha256Hex'>) | undefined;
}

/** Operations of this host. The site's own listener and the cloud's relay call the same function. */
export function createOperations(
  ports: Pick<KernelPorts, 'clock'> & TenantPorts,
  {
    commands,
    alarmStreams,
    sender,
    messages,
    handshakes,
    media,
    mediaSessions,
    remote,
    recordings,
    crypto,
    verifyReply,
    person,
  }: OperationSetting,
): AnswerOperation {
  return async (request) => {
    // Enrolment and revisions change all of it, so each request reads it again.
    const { domain, access, notification } = ports.tenant();
    const { wallMs } = ports.clock;
    const { hostId, siteBaseUrl } = ports.place;
    return await answerOperation(
      {
        domain,
        hostId,
        siteBaseUrl,
        access,
        crypto,
        wallMs,
        person: person && {
          ...person(),
          accepted: notification.personStatements !== 'refused',
          sha256Hex: crypto.sha256Hex,
        },
        alarms: commands,
        alarmStreams,
        sender,
        messages,
        handshakes,
        media,
        mediaSessions,
        remote,
        recordings,
        readReply: (replyId) =>
          readReplyId(replyId, { domain, wallMs: wallMs(), maxAgeS: LONGEST_SESSION_S }, verifyReply),
      },
      request,
    );
  };
}

/** Whether a bearer may use runtime operations now; the reason when not. For listeners that ask before the first command. */
export const createAdmission =
  ({ clock, tenant, place }: Pick<KernelPorts, 'clock'> & TenantPorts, crypto: BearerCrypto) =>
  async (token: string): Promise<string | undefined> => {
    const { domain, access } = tenant();
    const ports = { domain, access, siteBaseUrl: place.siteBaseUrl, crypto };
    const caller = await admit(ports, `Bearer ${token}`, domain, clock.wallMs());
    return caller.ok ? undefined : caller.error.reason;
  };
