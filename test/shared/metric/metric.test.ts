import { describe, expect, it } from 'vitest';
import {
  callbackMetric,
  counter,
  exposition,
  gauge,
  histogram,
  labelWord,
  processFamilies,
  processReader,
} from '#shared/metric/index.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => !/^(#|$)/.test(line));

describe('the exposition', () => {
  it('has help, kind and one line for each series', () => {
    const came = counter('came_total', 'What came', ['kind']);
    came.add(['alarm']);
    came.add(['alarm'], 2);
    came.add(['call']);
    expect(exposition([came])).toBe(
      '# HELP came_total What came\n# TYPE came_total counter\ncame_total{kind="alarm"} 3\ncame_total{kind="call"} 1\n',
    );
  });

  it('counts buckets upwards and ends them with all', () => {
    const took = histogram('took_seconds', 'How long', [0.1, 1], ['op']);
    for (const seconds of [0.1, 0.2, 7]) took.observe(seconds, ['write']);
    expect(lines(exposition([took]))).toEqual([
      'took_seconds_bucket{op="write",le="0.1"} 1',
      'took_seconds_bucket{op="write",le="1"} 2',
      'took_seconds_bucket{op="write",le="+Inf"} 3',
      'took_seconds_sum{op="write"} 7.3',
      'took_seconds_count{op="write"} 3',
    ]);
  });

  it('shows what has no labels from the start', () => {
    expect(lines(exposition([counter('a_total', 'a'), histogram('b', 'b', [1])]))).toEqual([
      'a_total 0',
      'b_bucket{le="1"} 0',
      'b_bucket{le="+Inf"} 0',
      'b_sum 0',
      'b_count 0',
    ]);
  });

  it('asks gauges each time, and leaves out unknown values', () => {
    let now: number | undefined = 1;
    const one = gauge('one', 'one', () => now);
    const many = gauge('many', 'many', () => [[{ lane: 'alarm' }, Number.POSITIVE_INFINITY]]);
    expect(lines(exposition([one, many]))).toEqual(['one 1', 'many{lane="alarm"} +Inf']);
    now = undefined;
    expect(lines(exposition([one]))).toEqual([]);
  });

  it('puts two of one name under one head', () => {
    const ours = gauge('depth', 'what waits', () => [[{ lane: 'a' }, 1]]);
    const theirs = gauge('depth', 'what waits elsewhere', () => [[{ lane: 'b' }, 2]]);
    expect(exposition([ours, counter('between_total', 'x'), theirs])).toMatch(
      /^# HELP depth what waits\n# TYPE depth gauge\ndepth\{lane="a"\} 1\ndepth\{lane="b"\} 2\n# HELP between_total/,
    );
  });

  it('escapes values, and makes words of the codes of others', () => {
    const odd = counter('odd_total', 'odd', ['said']);
    odd.add(['a "b"\\\n']);
    expect(lines(exposition([odd]))).toEqual(['odd_total{said="a \\"b\\"\\\\\\n"} 1']);
    expect(labelWord(`of a "newer" host${'x'.repeat(100)}`)).toMatch(/^of_a__newer__hostx{23}$/);
  });

  it('keeps 200 series and counts all others together', () => {
    const many = counter('many_total', 'many', ['code', 'kind']);
    for (let n = 0; n < 1_000; n++) many.add([String(n), 'k']);
    many.add(['0', 'k']);
    const shown = lines(exposition([many]));
    expect(shown).toHaveLength(201);
    expect(shown[0]).toBe('many_total{code="0",kind="k"} 2');
    expect(shown.at(-1)).toBe('many_total{code="other",kind="other"} 800');
  });
});

it('callbacks are counted by kind of receiver and answer', () => {
  const { families, attempted } = callbackMetric();
  attempted('bridge', 0.02, 200);
  attempted('platform', 3, 503);
  attempted('platform', 15, 'timeout');
  const text = exposition(families);
  expect(text).toContain('carillon_callback_seconds_count{dest_class="bridge",code="200"} 1\n');
  expect(text).toContain('carillon_callback_seconds_bucket{dest_class="platform",code="503",le="5"} 1\n');
  expect(text).toContain('carillon_callback_seconds_sum{dest_class="platform",code="timeout"} 15\n');
  for (const result of ['delivered', 'refused', 'unreached'])
    expect(text).toContain(`carillon_callback_attempts_total{result="${result}"} 1\n`);
});

it('the process is read once for each look', () => {
  let looks = 0;
  const families = processFamilies(() => ({
    cpuS: ++looks,
    residentBytes: undefined,
    startedS: 7,
    lagP99S: 0.01,
  }));
  exposition(families);
  expect(exposition(families)).toContain(
    '# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 2\n',
  );
  expect(lines(exposition(families))).toEqual([
    'process_cpu_seconds_total 3',
    'process_start_time_seconds 7',
    'nodejs_eventloop_lag_p99_seconds 0.01',
  ]);
});

describe('the cost of a process', () => {
  const own = {
    uptime: () => 90,
    cpuUsage: () => ({ user: 1_500_000, system: 500_000 }),
    memoryUsage: { rss: () => 4_096 },
  };
  /** Delays of the event loop, in ns, since the last look. */
  function loop() {
    const late: number[] = [];
    return {
      late,
      get count() {
        return late.length;
      },
      percentile: (percentile: number) => {
        if (percentile !== 99) throw new Error(`asked for ${percentile}`);
        return Math.max(...late);
      },
      reset: () => void late.splice(0),
    };
  }

  it('is read in seconds and bytes, and the delay of the event loop again at each look', () => {
    const delay = loop();
    const read = processReader(own, delay, 1_000_000_000);
    delay.late.push(20_000_000, 35_000_000);
    const at = { cpuS: 2, residentBytes: 4_096, startedS: 999_910 };
    expect(read()).toEqual({ ...at, lagP99S: 0.035 });
    expect(read()).toEqual({ ...at, lagP99S: 0 });
    delay.late.push(21_000_000);
    expect(read()).toEqual({ ...at, lagP99S: 0.021 });
  });

  it('has no memory where the kernel does not report it', () => {
    const rss = () => {
      throw new Error('ENOENT: /proc/self/stat');
    };
    expect(processReader({ ...own, memoryUsage: { rss } }, loop(), 0)().residentBytes).toBeUndefined();
  });
});
