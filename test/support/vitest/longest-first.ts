import { BaseSequencer } from 'vitest/node';

/**
 * A sequencer that takes the files whose paths end so first, in this order, within their project: a fresh checkout knows no
 * durations, and whatever is long and begins last is waited for alone. Files with a process of their own go before those that
 * share one: a process between the two would end, and load the product again.
 */
export function longestFirst(ends: readonly string[]): typeof BaseSequencer {
  const place = (file: string): number => {
    const found = ends.findIndex((end) => file.endsWith(end));
    return found < 0 ? ends.length : found;
  };
  return class extends BaseSequencer {
    override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
      const sorted = await super.sort(files);
      const shared = ({ project }: (typeof files)[number]) => Number(project.config.isolate === false);
      return sorted.toSorted((a, b) => shared(a) - shared(b) || place(a.moduleId) - place(b.moduleId));
    }
  };
}
