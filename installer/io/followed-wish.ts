import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { layout } from '../plan/index.ts';
import { writeDurably } from './durable-file.ts';

const followedSchema = z.object({ twinRev: z.number(), networkInterfaces: z.array(z.string()) });

/** What root is doing for the control plane at this moment. */
export type FollowedWish = z.output<typeof followedSchema>;

/** On the disk when it returns: whoever comes after a cut can say what was under way. */
export const keepFollowed = (wish: FollowedWish, place: string = layout.followed): void =>
  writeDurably(place, `${JSON.stringify(wish)}\n`);

/** The wish that was cut, and it is nobody's any more; undefined: none was. */
export function takeFollowed(place: string = layout.followed): FollowedWish | undefined {
  try {
    return followedSchema.safeParse(JSON.parse(readFileSync(place, 'utf8'))).data;
  } catch {
    return undefined;
  } finally {
    rmSync(place, { force: true });
  }
}
