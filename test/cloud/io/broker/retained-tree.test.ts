import { describe, expect, it } from 'vitest';
import { RetainedTree } from '#cloud/io/broker/retained-tree.ts';

const message = (topic: string, payload = topic) => ({ topic, payload: Buffer.from(payload) });
const found = (tree: RetainedTree<{ topic: string; payload: Buffer }>, filter: string) =>
  [...tree.matching(filter)].map(({ topic }) => topic).toSorted();

async function filled(...topics: string[]) {
  const tree = new RetainedTree<ReturnType<typeof message>>();
  for (const topic of topics) await tree.storeRetained(message(topic));
  return tree;
}

describe('retained messages', () => {
  it('are found by filters as MQTT 3.1.1, 4.7.1 has them', async () => {
    const tree = await filled('a', 'a/b', 'a/b/c', 'a/c/c', 'b/b', 'a//c');
    expect(found(tree, 'a/b')).toEqual(['a/b']);
    expect(found(tree, 'a/+')).toEqual(['a/b']);
    expect(found(tree, 'a/+/c')).toEqual(['a//c', 'a/b/c', 'a/c/c']);
    // The level above is covered too.
    expect(found(tree, 'a/#')).toEqual(['a', 'a//c', 'a/b', 'a/b/c', 'a/c/c']);
    expect(found(tree, '+/b')).toEqual(['a/b', 'b/b']);
    expect(found(tree, '#')).toHaveLength(6);
    expect(found(tree, 'a/b/c/d')).toEqual([]);
    expect(found(tree, 'c/#')).toEqual([]);
  });

  it('are replaced by the latest, and removed by an empty one', async () => {
    const tree = await filled('a/b', 'a/b/c');
    await tree.storeRetained(message('a/b', 'later'));
    expect([...tree.matching('a/b')].map(({ payload }) => payload.toString())).toEqual(['later']);
    await tree.storeRetained(message('a/b', ''));
    expect(found(tree, '#')).toEqual(['a/b/c']);
    await tree.storeRetained(message('a/b/c', ''));
    await tree.storeRetained(message('never/there', ''));
    expect(found(tree, '#')).toEqual([]);
  });
});
