/** Hosts by connectivity, as lines of Prometheus text format (control plane, section 14). */
export function hostMetric(counts: ReadonlyMap<string, number>): string {
  const lines = [...counts].map(
    ([connectivity, count]) => `carillon_hosts{connectivity="${connectivity}"} ${count}`,
  );
  return ['# HELP carillon_hosts Hosts by connectivity', '# TYPE carillon_hosts gauge', ...lines, ''].join(
    '\n',
  );
}
