import type { ApplianceEngine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import { Late } from './late.ts';
import type { OpenPeers } from './peers.ts';
import type { HostSupervision } from './supervision.ts';

/** Every place where a stage asks for a part that a later stage builds, with the reason. Nothing else is bound late. */
export interface LateParts {
  /** The host reports its peers; they are joined to a host that is there. */
  readonly peers: Late<OpenPeers>;
  /** The host reports the load of the engine; the engine needs the tenant of the host. */
  readonly engine: Late<ApplianceEngine>;
  /** Acknowledged rows leave the copies, too; the journal of the engine is made with them. */
  readonly ports: Late<EnginePorts>;
  /** The engine sends by sockets, and the sockets bring it what comes. */
  readonly network: Late<SipNetwork>;
  /** The host and its peers tell what supervision sees; supervision looks after engine and host. */
  readonly supervision: Late<HostSupervision>;
}

export const lateParts = (): LateParts => ({
  peers: new Late('the link to the peers'),
  engine: new Late('the engine'),
  ports: new Late('the ports of the engine'),
  network: new Late('the SIP network'),
  supervision: new Late('the supervision of the host'),
});
