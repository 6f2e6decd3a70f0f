import type { RemoteAnswer, RemoteOperation } from '../remote-operation.ts';

export interface ServiceOperationPorts {
  /** Names of the services of this host. */
  readonly services: readonly string[];
  readonly pause: (service: string) => void;
  readonly resume: (service: string) => void;
  /** Asks every service. @returns names of those that do not serve */
  readonly probeAll: () => Promise<readonly string[]>;
  /** Ends an override of a person on site; undefined: all of them. @returns the keys that were overridden */
  readonly clearOverride: (key: string | undefined) => readonly string[];
  /** The link to another host is up; undefined: this host knows no such other one. */
  readonly sees: (uid: string) => boolean | undefined;
  /** The points that a technician tests on site. */
  readonly selfTest: RemoteOperation;
}

/** Requests of the cloud about the services of this host, and about its view of the site. */
export const serviceOperations = ({
  services,
  pause,
  resume,
  probeAll,
  clearOverride,
  sees,
  selfTest,
}: ServiceOperationPorts): Readonly<
  Record<'override.clear' | 'svc.restart' | 'selftest' | 'probe', RemoteOperation>
> => ({
  'override.clear': ({ args }) => {
    const key = typeof args.key === 'string' ? args.key : undefined;
    return { ok: true, value: { cleared: clearOverride(key) } };
  },

  'svc.restart': ({ args }) => {
    const service = String(args.service);
    if (!services.includes(service))
      return { ok: false, code: 'unknownService', reason: `this host has no service ${service}` };
    pause(service);
    resume(service);
    return { ok: true, value: { service } };
  },

  selftest: async (request) => {
    const sick = await probeAll();
    const checks = services.map((name) => {
      const ok = !sick.includes(name);
      return { name, ok, message: ok ? '' : `${name} does not answer` };
    });
    return withChecks(checks, await selfTest(request));
  },

  probe: ({ args }) => {
    const seen = sees(String(args.uid));
    return seen === undefined
      ? { ok: false, code: 'noPeer', reason: 'this host has no link to that one' }
      : { ok: true, value: { sees: seen } };
  },
});

/** The points of a technician behind the services; services alone where the points could not be tested. */
const withChecks = (services: readonly unknown[], points: RemoteAnswer): RemoteAnswer =>
  points.ok
    ? { ok: true, value: { ...points.value, checks: [...services, ...(points.value.checks as unknown[])] } }
    : { ok: true, value: { checks: services } };
