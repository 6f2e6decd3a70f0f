import type { WaitingState } from '#shared/contract/alarm-queue/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deleteQueueWall,
  insertQueueWall,
  listQueueWalls,
  mutate,
  openWaitingAlarms,
  queueWallByHash,
  recordAudit,
  type Store,
} from '../store/index.ts';

export interface QueueWallsPort {
  readonly store: Store;
  readonly random: RandomBytes;
  readonly sha256: (text: string) => string;
  readonly nowMs: () => number;
}

/** A display without its token. */
interface Wall {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

/** An alarm as a display shows it: how long it waits, and nothing of a person. */
interface WallAlarm {
  readonly state: WaitingState;
  readonly since: number;
  readonly takenAt?: number;
}

const MOST_WALLS = 50;
const MOST_SHOWN = 500;

/** Displays on a wall, each with a token that opens the queue without personal data. */
export class QueueWalls {
  readonly #port: QueueWallsPort;

  constructor(port: QueueWallsPort) {
    this.#port = port;
  }

  async list(tenant: string): Promise<Wall[]> {
    const rows = await listQueueWalls(this.#port.store, tenant);
    return rows.map(({ id, name, createdAt }) => ({ id, name, createdAt }));
  }

  /** The token is shown once; only its hash is stored. */
  async add(call: Call, name: string): Promise<Result<{ readonly id: string; readonly token: string }>> {
    const { store, random, sha256 } = this.#port;
    const { at, name: by } = call.actor;
    const id = ulid(at, random(10));
    const token = Buffer.from(random(32)).toString('base64url');
    const { once: _, ...shownOnce } = call;
    const done = await mutate(store, shownOnce, async (tx) => {
      if ((await listQueueWalls(tx, call.tenant)).length >= MOST_WALLS)
        return fail(
          'conflict',
          `The display is not added: the tenant has ${MOST_WALLS} displays, the most that it can have. Delete one of them.`,
        );
      const hash = sha256(token);
      await insertQueueWall(tx, { tenant: call.tenant, id, hash, name, createdAt: at, createdBy: by });
      const entry = { tenant: call.tenant, action: 'create', entity: 'queuewall', entityId: id } as const;
      await recordAudit(tx, call.actor, { ...entry, detail: { name } });
      return ok(null);
    });
    return done.ok ? ok({ id, token }) : done;
  }

  remove(call: Call, id: string): Promise<Result<null>> {
    return mutate(this.#port.store, call, async (tx) => {
      if (!(await deleteQueueWall(tx, call.tenant, id)))
        return fail('notFound', `The display ${id} does not exist. List the displays for their ids.`);
      const entry = { tenant: call.tenant, action: 'delete', entity: 'queuewall', entityId: id } as const;
      await recordAudit(tx, call.actor, entry);
      return ok(null);
    });
  }

  /** The queue for the bearer of a token. Fails with `unauthorized`. */
  async show(
    tenant: string | undefined,
    token: string | undefined,
  ): Promise<Result<{ readonly now: number; readonly alarms: readonly WallAlarm[] }>> {
    const { store, sha256, nowMs } = this.#port;
    const wall =
      tenant === undefined || token === undefined
        ? undefined
        : await queueWallByHash(store, tenant, sha256(token));
    if (tenant === undefined || wall === undefined)
      return fail(
        'unauthorized',
        'The queue is not shown: the token belongs to no display of this tenant. Add the display again in the console.',
      );
    const rows = await openWaitingAlarms(store, tenant, MOST_SHOWN);
    const alarms = rows.map(({ state, queuedAt, takenAt }) => ({
      ...{ state, since: queuedAt },
      ...(takenAt !== null && { takenAt }),
    }));
    return ok({ now: nowMs(), alarms });
  }
}
