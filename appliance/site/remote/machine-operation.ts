import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { SelfTestRecord } from '#shared/self-test/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { answerOf, invalid } from './answer.ts';
import { logTail } from './log-tail.ts';

/** Sends to an address that the cloud made for it; an address elsewhere is refused. */
export type SendOnce<Body> = (url: string, body: Body) => Promise<Result<object, Failure>>;

/** The way to the cloud of a machine that is a host. */
export interface MachineSender {
  /** A JSON text. */
  readonly trace: SendOnce<string>;
  readonly diagnosis: SendOnce<unknown>;
}

export interface MachineOperationPorts {
  /** Undefined: this machine is no host. */
  readonly sender: () => MachineSender | undefined;
  /** The last lines of the log, oldest first. */
  readonly log: () => readonly string[];
  readonly renew: RemoteOperation;
  readonly upgrade: RemoteOperation;
  /** Everything about this machine, without secrets. */
  readonly bundle: () => Promise<unknown>;
  /** Pages of a trace, oldest first: each a JSON array of entries. */
  readonly trace: (traceId: string) => Promise<readonly string[]>;
  /** Tests this machine now; `sent`: the record is in the journal of the tenant. */
  readonly selfTest: () => Promise<{ readonly record: SelfTestRecord; readonly sent: boolean }>;
}

/** Requests of the cloud about the machine itself (control plane, section 3.5). Secrets and numbers stay here. */
export const machineOperations = ({
  sender,
  log,
  renew,
  upgrade,
  bundle,
  trace,
  selfTest,
}: MachineOperationPorts) =>
  ({
    'cert.renew': renew,
    'sw.upgrade': upgrade,

    selftest: async () => {
      const { record, sent } = await selfTest();
      return { ok: true, value: { checks: checksOf(record), record, sent } };
    },

    'logs.tail': ({ args }) => {
      const asked = REMOTE_ARGS['logs.tail'].safeParse(args);
      if (!asked.success) return invalid('/args is not lines, level and match');
      return { ok: true, value: { lines: logTail(log(), asked.data) } };
    },

    'trace.get': async ({ args }) => {
      const to = sender();
      const asked = REMOTE_ARGS['trace.get'].safeParse(args);
      if (to === undefined || !asked.success) return invalid('/args has no traceId and url');
      const pages = await trace(asked.data.traceId);
      if (pages.length === 0) return { ok: true, value: { bytes: 0 } };
      // The pages are JSON as they stand: a long trace is neither parsed nor written again here.
      return answerOf(await to.trace(asked.data.url, `{"v":1,"pages":[${pages.join(',')}]}`));
    },

    'diag.bundle': async ({ args }) => {
      const to = sender();
      const asked = REMOTE_ARGS['diag.bundle'].safeParse(args);
      if (to === undefined || !asked.success) return invalid('/args/url says where the bundle goes');
      return answerOf(await to.diagnosis(asked.data.url, await bundle()));
    },
  }) satisfies Readonly<Record<string, RemoteOperation>>;

/** Only a failure is one: a warning, and a point that does not apply, leave the machine as it is. */
const checksOf = ({ points }: SelfTestRecord) =>
  points.map(({ id, verdict, found }) => ({ name: id, ok: verdict !== 'failure', message: found }));
