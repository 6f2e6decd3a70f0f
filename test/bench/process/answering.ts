import { capability } from '#appliance/engine/capability.ts';
import type { EnginePorts } from '#appliance/engine/engine-port.ts';
import type { EngineLoad } from '#appliance/engine/engine-setting.ts';
import { directory } from '#appliance/registration/directory.ts';
import { type AuthCrypto, Authenticator, requestFacts } from '#appliance/sip/auth/index.ts';
import { type Flow, SipEndpoint } from '#appliance/sip/endpoint/index.ts';

/**
 * The appliance as far as the 200 to a MESSAGE: parser, transactions with all their timers, capability, who is it and
 * may it. The work that a request would set in motion behind that is left out.
 */
export class Answering {
  readonly endpoint: SipEndpoint;
  readonly #ports: EnginePorts;

  constructor(
    ports: EnginePorts,
    sip: { readonly crypto: AuthCrypto; readonly send: (flow: Flow, bytes: Buffer) => void },
  ) {
    this.#ports = ports;
    const authenticator = new Authenticator(
      directory(ports, { trunk: () => undefined, verifyToken: () => undefined }),
      sip.crypto,
    );
    this.endpoint = new SipEndpoint({
      capability: capability(() => true),
      random: ports.random,
      nowMs: ports.clock.monoMs(),
      ...(ports.wakeBy && { wakeBy: ports.wakeBy }),
      effects: {
        send: sip.send,
        deliver: (request, server, flow, nowMs) => {
          const { outcome } = authenticator.identify(requestFacts(request, flow), nowMs);
          server.respond({ status: outcome === 'accepted' ? 200 : 403 }, nowMs);
        },
        acknowledged: () => undefined,
        onDefect: (error, doing) =>
          ports.log('error', 'sip.defect_caught', 'Caught a defect in the SIP endpoint', {
            doing,
            error: String(error),
          }),
      },
    });
  }

  restore(): void {
    // Nothing outlives a process here.
  }

  message(flow: Flow, bytes: Buffer): void {
    this.endpoint.receive(flow, bytes, this.#ports.clock.monoMs());
  }

  flowFailed(flow: Flow): void {
    this.endpoint.transportFailed(flow, this.#ports.clock.monoMs());
  }

  advance(): void {
    this.endpoint.advance(this.#ports.clock.monoMs());
  }

  nextDueMs(): number {
    return this.endpoint.nextDueMs() ?? Number.POSITIVE_INFINITY;
  }

  get load(): Omit<EngineLoad, 'alarmsLastHour'> {
    const transactions = this.endpoint.serverCount + this.endpoint.clientCount;
    return { alarms: 0, registrations: 0, supervised: 0, transactions, calls: 0, legs: 0, sendings: 0 };
  }
}
