import {
  type ConfigFault,
  type ConfigReport,
  type FeedScope,
  type Life,
  MANIFEST_TYP,
  type Profile,
  SCOPES,
  TWIN_TYP,
  type Twin,
} from '#shared/contract/feed/index.ts';
import { Listeners } from '#shared/listeners.ts';
import {
  acceptTwin,
  checkManifest,
  closedGate,
  ENTITIES,
  type FeedSource,
  type GateEffect,
  type GateInput,
  type GateState,
  initialPull,
  isKeyFault,
  isOpen,
  judgeStaged,
  type PullEffect,
  type PullInput,
  type PullState,
  removalsOf,
  replacesAll,
  revisionsBehind,
  StagedReading,
  stepGate,
  stepPull,
  type TenantModel,
  type VerifySigned,
} from '../../../replica/index.ts';
import type { ConfigurationInfo, HostIdentity } from '../../index.ts';
import { fraction, type SitePorts, Timer } from '../site-port.ts';
import { bringPrompts } from './site-prompt.ts';
import { hashesDiffer, stagePages, storedChanges } from './site-replica.ts';
import { bringsKey, keyRing } from './site-secret.ts';

/** The report of the uplink to the cloud about a revision; it adds version and `sid`. */
export type ConfigurationReport = Omit<ConfigReport, 'v' | 'sid'>;

const HOUR_MS = 3_600_000;

/** Answer of a fetch that the pull machine decides on. */
type Outcome = Extract<PullInput, { readonly kind: 'applied' | 'failed' | 'mismatch' | 'refused' }>;

/**
 * The configuration of this host: wanted by the twin, fetched page by page, judged as a whole, committed in one
 * transaction, given to the engines in one go, and kept as good when they are well with it. Decisions are
 * `appliance/replica`'s; here they are carried out.
 */
export class SiteConfiguration {
  /** Entities that changed; the engines reload only those. */
  readonly changed = new Listeners<[entities: ReadonlySet<string>]>();
  readonly twinTaken = new Listeners<[twin: Twin]>();
  readonly reported = new Listeners<[news: ConfigurationReport]>();
  /** Once: there is a configuration to work with. */
  readonly begun = new Listeners<[]>();

  readonly #ports: SitePorts;
  readonly #identity: HostIdentity;
  readonly #tenant: TenantModel;
  readonly #feed: FeedSource;
  readonly #verify: VerifySigned;
  readonly #pullTimer: Timer;
  readonly #gateTimer: Timer;
  readonly #auditTimer: Timer;
  #pull: PullState;
  #gate: GateState = closedGate;
  #twin: Twin | undefined;
  #configured = false;
  #stopped = false;
  /** While the good copy is written nothing is committed: the copy must hold what was judged. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(ports: SitePorts, identity: HostIdentity, tenant: TenantModel) {
    this.#ports = ports;
    this.#identity = identity;
    this.#tenant = tenant;
    this.#feed = ports.feed(identity);
    this.#verify = ports.verify(identity);
    this.#pullTimer = new Timer(ports);
    this.#gateTimer = new Timer(ports);
    this.#auditTimer = new Timer(ports);
    this.#pull = initialPull(ports.store.standings(), ports.store.refused());
  }

  /** Everything from the disk, at once and with no network; resolves when the engines have it. */
  async start(): Promise<void> {
    this.#tenant.replace(storedChanges(this.#ports.store, this.#ports.log));
    this.changed.emit(new Set(ENTITIES));
    const kept = this.#ports.store.twin();
    const payload = kept === undefined ? undefined : await this.#verify(kept, TWIN_TYP);
    const read = payload === undefined ? undefined : acceptTwin(payload, this.#identity.uid, 0);
    if (read?.ok) this.#take(read.value);
    this.#noteConfigured();
    this.#reopenGate();
    this.#auditTimer.start(HOUR_MS, () => this.#ports.run(this.#audit()));
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of [this.#pullTimer, this.#gateTimer, this.#auditTimer]) timer.stop();
  }

  get facts(): ConfigurationInfo {
    const { standing } = this.#pull;
    return {
      twinRev: this.#twin?.twinRev ?? 0,
      life: this.life,
      rev: {
        platform: standing.platform.rev,
        tenant: standing.tenant.rev,
        site: standing.site.rev,
        host: standing.host.rev,
      },
      good: !isOpen(this.#gate),
    };
  }

  /** Revisions that the twin names and that are not in force, over all scopes. */
  get behind(): number {
    return revisionsBehind(this.#pull);
  }

  /** Until a twin has come, nothing more than the beginning is known. */
  get life(): Life {
    return this.#twin?.life ?? 'commissioning';
  }

  get profile(): Profile {
    return this.#twin?.hb.profile ?? 'standard';
  }

  get configured(): boolean {
    return this.#configured;
  }

  /** A twin that came by any way; a forged, foreign or older one is refused and said so. */
  async offerTwin(compact: string): Promise<void> {
    const payload = await this.#verify(compact, TWIN_TYP);
    if (this.#stopped) return;
    const read = acceptTwin(payload, this.#identity.uid, this.#twin?.twinRev ?? 0);
    if (!read.ok) {
      this.#ports.log('warn', 'twin.refused', 'Refused a twin', {
        code: read.error.code,
        reason: read.error.reason,
      });
      return;
    }
    if (read.value.twinRev !== this.#twin?.twinRev) this.#ports.store.keepTwin(compact);
    this.#take(read.value);
  }

  /** Over HTTPS; false when nothing came. */
  async pullTwin(): Promise<boolean> {
    const fetched = await this.#feed.twin();
    if (!fetched.ok) {
      this.#ports.log('debug', 'twin.not_fetched', 'Fetched no new twin', {
        code: fetched.error.code,
        reason: fetched.error.reason,
      });
      return fetched.error.code === 'notModified';
    }
    await this.offerTwin(fetched.value);
    return true;
  }

  /** Fetches soon what a failed fetch has put off by up to a minute. `spreadMs`: 0 where one host alone does so. */
  hurry(spreadMs: number): void {
    this.#decide({ kind: 'hurry', spreadMs, random: fraction(this.#ports) });
  }

  /** Fetches everything of these scopes again, also what was refused before. */
  resync(scopes: readonly FeedScope[] = SCOPES): void {
    this.#decide({ kind: 'resync', scopes, force: true });
    this.hurry(0);
  }

  #take(twin: Twin): void {
    this.#twin = twin;
    this.twinTaken.emit(twin);
    this.#decide({
      kind: 'wanted',
      pointers: twin.cfg,
      jitterS: twin.jitterS,
      fetchS: twin.fetchS,
      random: fraction(this.#ports),
    });
  }

  #decide(input: PullInput): void {
    if (this.#stopped) return;
    const { state, effects } = stepPull(this.#pull, input);
    if (state.refused !== this.#pull.refused) this.#ports.store.keepRefused(state.refused);
    this.#pull = state;
    this.#noteConfigured();
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: PullEffect): void {
    if (effect.kind === 'startTimer') {
      this.#pullTimer.start(effect.delayMs, () => this.#decide({ kind: 'due' }));
    } else this.#ports.run(this.#fetched(effect));
  }

  #noteConfigured(): void {
    if (this.#configured) return;
    const { standing, wanted } = this.#pull;
    const inSync = wanted !== undefined && SCOPES.every((scope) => standing[scope].rev >= wanted[scope].rev);
    if (standing.tenant.rev === 0 && !inSync) return;
    this.#configured = true;
    this.begun.emit();
  }

  /** A disk that cannot be written, or a defect, must not end the pulling. */
  async #fetched(ask: Extract<PullEffect, { kind: 'fetch' }>): Promise<void> {
    const again = (): Outcome => ({ kind: 'failed', random: fraction(this.#ports) });
    const outcome = await this.#fetch(ask).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#ports.log('error', 'configuration.apply_failed', 'Could not apply a configuration', {
        scope: ask.scope,
        reason,
      });
      return undefined;
    });
    this.#decide(outcome ?? again());
  }

  /** Undefined: nothing was decided, try again later. */
  async #fetch(ask: Extract<PullEffect, { kind: 'fetch' }>): Promise<Outcome | undefined> {
    const { scope, since, wantedRev } = ask;
    const beganMs = this.#ports.clock.monoMs();
    const standingAtFirst = this.#pull.standing[scope];
    const compact = await this.#feed.manifest(scope, since, standingAtFirst.rev);
    // A revision that the twin names and that is not offered is one that this host has refused in an earlier life.
    if (!compact.ok && compact.error.code === 'notModified')
      return { kind: 'refused', scope, rev: wantedRev };
    if (!compact.ok) return this.#notFetched(scope, compact.error.reason);
    const checked = checkManifest(await this.#verify(compact.value, MANIFEST_TYP), {
      scope,
      owner: this.#ownerOf(scope),
      standing: standingAtFirst,
      wantedRev,
    });
    // A manifest that is not surely the cloud's is no reason to refuse the revision that it names.
    if (!checked.ok) return this.#notFetched(scope, checked.error.reason);
    const manifest = checked.value;
    const refuse = (faults: readonly ConfigFault[]): Outcome => {
      this.#ports.log('error', 'configuration.refused', 'Refused a configuration', {
        scope,
        rev: manifest.to,
        faults,
      });
      this.#report(scope, manifest.to, 'nack', faults);
      return { kind: 'refused', scope, rev: manifest.to };
    };

    const before = this.#ports.store.hashes(scope);
    await this.#ports.pause();
    // A revision that replaces everything is also taken where it looks the same: it may be here to repair.
    const keys = await keyRing(this.#ports, this.#identity);
    const reading = new StagedReading(replacesAll(manifest) ? [] : before, this.#ports.sha256Hex, keys);
    const staged = await stagePages(this.#ports, this.#feed, manifest, reading);
    if (!staged.ok && staged.error.code === 'unreachable')
      return this.#notFetched(scope, staged.error.reason);
    if (!staged.ok) return refuse([{ code: staged.error.code, path: '', msg: staged.error.reason }]);
    if (this.#stopped) return undefined;
    if (reading.faults.some(isKeyFault) && (await this.#keyIsDue()))
      return this.#notFetched(scope, 'a key that opens it comes first');
    if (reading.faults.length > 0) return refuse(reading.faults);
    // Each of these walks over every row of the scope: an alarm may come in between.
    await this.#ports.pause();
    const after = this.#ports.store.stagedHashes();
    await this.#ports.pause();
    const verdict = judgeStaged(manifest, before, after, this.#ports.sha256Hex);
    if (verdict.kind === 'fault') return refuse([verdict.fault]);
    if (verdict.kind === 'mismatch') {
      this.#ports.log(
        'warn',
        'configuration.hash_differed',
        'The rows of a configuration did not match its hash',
        { scope, rev: manifest.to, since },
      );
      if (since > 0) return { kind: 'mismatch', scope };
      return refuse([{ code: 'resultHash', path: '', msg: `the rows hash to ${verdict.found}` }]);
    }

    const missing = await bringPrompts(this.#ports.promptBytes, this.#feed, this.#tenant, reading.changes);
    if (typeof missing === 'string') return this.#notFetched(scope, missing);
    if (missing !== undefined) return refuse([missing]);
    const sickBefore = isOpen(this.#gate) ? [] : await this.#ports.health();
    await this.#keeping;
    // The last known good may have come back meanwhile: what was judged stood on other rows.
    if (this.#stopped || this.#pull.standing[scope] !== standingAtFirst) return undefined;
    const removals = replacesAll(manifest) ? removalsOf(before, after) : [];
    const changes = [...removals, ...reading.changes];
    const standing = { rev: manifest.to, h: manifest.resultHash };
    this.#ports.store.commit(standing);
    this.#tenant.apply(changes);
    const outcome: Outcome = { kind: 'applied', scope, standing };
    this.#ports.log('info', 'configuration.applied', 'Applied a configuration', {
      scope,
      rev: manifest.to,
      kind: manifest.kind,
    });
    this.#report(scope, manifest.to, 'applied', [], {
      applied: manifest.to,
      ms: Math.round(this.#ports.clock.monoMs() - beganMs),
    });
    this.changed.emit(new Set(changes.map(({ entity }) => entity)));
    // A revision that was refused for want of a key may be read now.
    if (bringsKey(scope, before, after) && this.#pull.refused.tenant !== undefined) this.resync(['tenant']);
    this.#committed(scope, manifest.to, sickBefore);
    return outcome;
  }

  /** The cloud gives a key before it seals by it: its newest twin names the revision that brings it. */
  async #keyIsDue(): Promise<boolean> {
    await this.pullTwin();
    const { wanted, standing, refused } = this.#pull;
    const due = wanted?.host.rev ?? 0;
    return due > standing.host.rev && due !== refused.host;
  }

  #notFetched(scope: FeedScope, reason: string): undefined {
    this.#ports.log('warn', 'configuration.fetch_failed', 'Could not fetch a configuration', {
      scope,
      reason,
    });
  }

  #ownerOf(scope: FeedScope): string {
    const { tenant, siteId, uid } = this.#identity;
    return { platform: '', tenant, site: `${tenant}/${siteId}`, host: uid }[scope];
  }

  #report(
    scope: FeedScope,
    rev: number,
    res: ConfigurationReport['res'],
    faults: readonly ConfigFault[],
    facts: { readonly applied?: number; readonly ms?: number } = {},
  ): void {
    const nonce = Buffer.from(this.#ports.random(4)).toString('hex');
    const { applied = this.#pull.standing[scope].rev, ms } = facts;
    const err = [...faults];
    this.reported.emit({ scope, rev, nonce, res, applied, ...(ms !== undefined && { ms }), err });
  }

  // The health gate

  #committed(scope: FeedScope, rev: number, sickBefore: readonly string[]): void {
    const { store, clock } = this.#ports;
    const hasEarlier = (store.goodStandings()?.[scope].rev ?? 0) > 0;
    this.#judge({ kind: 'committed', scope, rev, sickBefore, hasEarlier, atMs: clock.monoMs() });
  }

  #judge(input: GateInput): void {
    if (this.#stopped) return;
    const { state, effects } = stepGate(this.#gate, input);
    this.#gate = state;
    for (const effect of effects) this.#afterGate(effect);
  }

  #afterGate(effect: GateEffect): void {
    if (effect.kind !== 'check') this.#ports.store.endTrial();
    if (effect.kind === 'check') {
      this.#gateTimer.start(effect.delayMs, () => this.#ports.run(this.#check()));
    } else if (effect.kind === 'good') {
      this.#keeping = this.#keepGood(effect.revisions);
      this.#ports.run(this.#keeping);
    } else this.#return(effect);
  }

  async #check(): Promise<void> {
    const sick = await this.#ports.health();
    const hasGood = this.#ports.store.goodStandings() !== undefined;
    this.#judge({ kind: 'health', sick, hasGood, atMs: this.#ports.clock.monoMs() });
  }

  /** A copy that cannot be written leaves the older one: less good, and no reason to give the new one up. */
  async #keepGood(revisions: readonly (readonly [FeedScope, number])[]): Promise<void> {
    try {
      await this.#ports.store.keepGood();
    } catch (error) {
      this.#ports.log('error', 'configuration.copy_failed', 'Could not copy the good configuration', {
        cause: String(error),
      });
    }
    for (const [scope, rev] of revisions) this.#report(scope, rev, 'ack', [], { applied: rev });
  }

  #return({ revisions, sick }: Extract<GateEffect, { kind: 'bad' }>): void {
    const { store, log } = this.#ports;
    if (!store.returnToGood()) return;
    log(
      'error',
      'configuration.rolled_back',
      'Restored the last known good configuration: engines failed with the new one',
      { sick, revisions },
    );
    this.#tenant.replace(storedChanges(store, log));
    this.#decide({ kind: 'returned', standing: store.standings(), refused: revisions });
    const faults = sick.map((part) => ({ code: 'healthGate', path: '', msg: `${part} is not well with it` }));
    for (const [scope, rev] of revisions) this.#report(scope, rev, 'nack', faults);
    this.changed.emit(new Set(ENTITIES));
  }

  /** Judges now a revision that was committed before a crash and never judged. */
  #reopenGate(): void {
    const { store } = this.#ports;
    const here = store.standings();
    const good = store.goodStandings();
    for (const scope of SCOPES) {
      const { rev } = here[scope];
      if (rev !== 0 && rev !== good?.[scope].rev) this.#committed(scope, rev, []);
    }
    if (!isOpen(this.#gate)) return;
    this.#judge({ kind: 'restarted', lives: store.beginTrial(), hasGood: good !== undefined });
  }

  /** Hourly: what lies on the disk is still what was committed. */
  async #audit(): Promise<void> {
    for (const scope of SCOPES) {
      const standing = this.#pull.standing[scope];
      if (standing.rev === 0 || this.#pull.at === 'fetching') continue;
      const differs = await hashesDiffer(this.#ports, scope, standing);
      if (this.#stopped || !differs || this.#pull.standing[scope] !== standing) continue;
      this.#ports.log(
        'error',
        'configuration.rows_differed',
        'The stored rows differed from the committed configuration; fetched them again',
        { scope },
      );
      this.#decide({ kind: 'resync', scopes: [scope], force: false });
    }
    this.#auditTimer.start(HOUR_MS, () => this.#ports.run(this.#audit()));
  }
}
