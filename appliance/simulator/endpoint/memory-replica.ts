import { type FeedScope, type HashedRow, SCOPES } from '#shared/contract/feed/index.ts';
import type { Override, ReplicaStore, Standing, Standings, StoredRow } from '../../replica/index.ts';

type Refused = ReturnType<ReplicaStore['refused']>;
type Row = StoredRow & { readonly rowHash: string };

const keyOf = (entity: string, id: string): string => `${entity}\n${id}`;
const NOTHING: Standing = { rev: 0, h: '' };

/** The copy of the configuration of a simulated host: in memory, for nothing of it is to outlive the simulation. */
export function memoryReplica(): ReplicaStore {
  const live = new Map<FeedScope, ReadonlyMap<string, Row>>(SCOPES.map((scope) => [scope, new Map()]));
  const standings = new Map<FeedScope, Standing>(SCOPES.map((scope) => [scope, NOTHING]));
  let staging: { readonly scope: FeedScope; readonly rows: Map<string, Row> } = {
    scope: 'platform',
    rows: new Map(),
  };
  let good: Standings | undefined;
  let twin: string | undefined;
  let refused: Refused = {};
  const overrides = new Map<string, Override>();

  const sorted = (scope: FeedScope): Row[] =>
    [...(live.get(scope)?.values() ?? [])].sort((a, b) =>
      keyOf(a.entity, a.id) < keyOf(b.entity, b.id) ? -1 : 1,
    );
  const hashed = (rows: Iterable<Row>): HashedRow[] =>
    [...rows].map(({ entity, id, rowHash }) => ({ entity, id, rowHash }));
  const standing = (): Standings =>
    Object.fromEntries(SCOPES.map((scope) => [scope, standings.get(scope) ?? NOTHING])) as Standings;

  return {
    standings: standing,
    rows: (scope, after, limit) => {
      const from = after === undefined ? '' : keyOf(after.entity, after.id);
      return sorted(scope)
        .filter(({ entity, id }) => keyOf(entity, id) > from)
        .slice(0, limit);
    },
    hashes: (scope) => hashed(live.get(scope)?.values() ?? []),
    beginStage: (scope, replacesAll) => {
      staging = { scope, rows: new Map(replacesAll ? [] : live.get(scope)) };
    },
    stage: (operations) => {
      for (const operation of operations) {
        const { entity, id } = operation;
        if (operation.op === 'delete') staging.rows.delete(keyOf(entity, id));
        else {
          const body = JSON.stringify(operation.body);
          staging.rows.set(keyOf(entity, id), { entity, id, body, rowHash: operation.rowHash });
        }
      }
    },
    stagedHashes: () => hashed(staging.rows.values()),
    commit: (next) => {
      live.set(staging.scope, staging.rows);
      standings.set(staging.scope, next);
    },
    keepGood: async () => {
      good = standing();
    },
    goodStandings: () => good,
    // Simulated engines are always well: nothing is ever taken back.
    returnToGood: () => false,
    // A simulated host begins once.
    beginTrial: () => 1,
    endTrial: () => undefined,
    twin: () => twin,
    keepTwin: (compact) => {
      twin = compact;
    },
    refused: () => refused,
    keepRefused: (next) => {
      refused = next;
    },
    overrides: () => [...overrides.values()],
    keepOverride: (override) => void overrides.set(override.key, override),
    dropOverride: (key) => void overrides.delete(key),
  };
}
