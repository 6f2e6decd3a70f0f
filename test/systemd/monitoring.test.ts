import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  MEDIA_ALARM_ERRORS,
  platformAlarmSchema,
  SERVICE_ALARM_ERRORS,
} from '#shared/contract/callback/index.ts';
import { platformTroubleSchema } from '#shared/contract/site/index.ts';
import {
  type Dashboard,
  dashboardFiles,
  dashboardSchema,
  expressionsOf,
  MONITORING,
  metricsIn,
  rulesText,
} from '#test/support/dashboard.ts';

const files = dashboardFiles();
const named = [...files].map(([name, file]) => [name, dashboardSchema.parse(file)] as const);
const readme = readFileSync(join(MONITORING, 'README.md'), 'utf8');

/** Places on the sheet that two panels take. */
function overlaps({ panels }: Pick<Dashboard, 'panels'>): string[] {
  const places = new Map<string, string>();
  return panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
    const found = new Set<string>();
    for (let at = 0; at < w * h; at++) {
      const place = `${x + (at % w)} ${y + Math.floor(at / w)}`;
      const other = places.get(place);
      if (other !== undefined) found.add(`${title} lies on ${other}`);
      if (x + (at % w) > 23) found.add(`${title} is wider than the sheet`);
      places.set(place, title);
    }
    return [...found];
  });
}

describe('the dashboards', () => {
  it('are the five', () => {
    expect([...files.keys()]).toEqual(['callback', 'configuration', 'control-plane', 'fleet', 'site-host']);
    expect(new Set(named.map(([, { uid }]) => uid)).size).toBe(5);
  });

  it.each(named)('%s: every panel has a number and a place of its own', (_, dashboard) => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(overlaps(dashboard)).toEqual([]);
  });

  it.each(named)('%s: asks for nothing but variables that it has', (_, dashboard) => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = JSON.stringify(dashboard).match(/\$\{?(?!__)[a-z_]+/g) ?? [];
    const unknown = used.map((name) => name.replace(/\W/g, '')).filter((name) => !names.includes(name));
    expect(unknown).toEqual([]);
    for (const { expr } of expressionsOf(dashboard)) expect(expr).not.toContain('$');
  });

  it.each(named)('%s: every figure stands in the list of all', (_, dashboard) => {
    const asked = expressionsOf(dashboard).flatMap(({ expr }) => metricsIn(expr));
    const families = asked.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    // Figures of alarms, calls and media are those of the appliance, see its folders.
    const own =
      /^(process_|carillon_(media|alarm_sessions|alarms_last|calls|call_legs|registrations|supervised))/;
    expect(families.filter((name) => !own.test(name) && !readme.includes(`\`${name}`))).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);
  });

  it('turn the schema red with another shape', () => {
    const [[, file] = []] = files;
    const dashboard = structuredClone(file) as { panels: Record<string, unknown>[]; schemaVersion?: number };
    expect(dashboardSchema.safeParse(dashboard).success).toBe(true);
    const without = (name: string) => ({ ...dashboard, [name]: undefined });
    for (const name of ['uid', 'panels', 'schemaVersion', 'templating'])
      expect(dashboardSchema.safeParse(without(name)).success, name).toBe(false);
    const [first, ...others] = dashboard.panels;
    for (const broken of [{ targets: [] }, { type: 'graph' }, { gridPos: { h: 8, w: 25, x: 0, y: 0 } }])
      expect(
        dashboardSchema.safeParse({ ...dashboard, panels: [{ ...first, ...broken }, ...others] }).success,
        JSON.stringify(broken),
      ).toBe(false);
    const parsed = dashboardSchema.parse(dashboard);
    const [one] = parsed.panels;
    expect(overlaps({ panels: one === undefined ? [] : [one, one] })).not.toEqual([]);
  });
});

describe('the alerts', () => {
  const rules = rulesText().split('- alert: ').slice(1);
  const runbooks = rules.map((rule) => /runbook: (\S+)/.exec(rule)?.[1] ?? 'none');

  it('have each a sentence, a severity and a page that is there', () => {
    expect(rules).not.toEqual([]);
    for (const rule of rules) {
      expect(rule).toMatch(/summary: ".+\."/);
      expect(rule).toMatch(/severity: (critical|warning)/);
    }
    expect(runbooks.filter((page) => !existsSync(join(MONITORING, page)))).toEqual([]);
  });

  it('have all pages between them, each named for its alert, with what to look at and what to do', () => {
    const pages = globSync(join(MONITORING, 'runbook', '*.md')).map((file) => `runbook/${basename(file)}`);
    expect(pages.toSorted()).toEqual(runbooks.toSorted());
    for (const [at, page] of runbooks.entries()) {
      const text = readFileSync(join(MONITORING, page), 'utf8');
      expect(text).toContain(`# ${rules[at]?.split('\n')[0]}\n`);
      expect(text).toMatch(/\n## Look\n[\s\S]+\n## Do\n/);
      expect(text.split('\n').length).toBeLessThan(45);
    }
  });
});

describe('the alarms', () => {
  const FOLDER = join(MONITORING, 'runbook', 'alarm');
  const types = platformAlarmSchema.options.flatMap(({ shape }) => [...shape.type.values]);
  const monitoring = platformAlarmSchema.options.flatMap(({ shape }) =>
    shape.type.value === 'monitoringAlarm' && 'error' in shape && 'options' in shape.error
      ? [...shape.error.options]
      : [],
  );
  /** The pages that stand for more than one alarm, and the end of one that has its own. */
  const pageOf = (alarm: string): string => {
    if (alarm in MEDIA_ALARM_ERRORS) return 'mediaService';
    return alarm === 'destinationUp' ? 'destinationDown' : alarm;
  };
  const alarms = [
    ...types.filter((type) => type !== 'monitoringAlarm'),
    ...monitoring,
    ...platformTroubleSchema.shape.error.options,
  ];
  const page = (name: string): string => readFileSync(join(FOLDER, `${name}.md`), 'utf8');

  it('have a page each for tenants and the deployment, with what to look at and what to do, and no page is left over', () => {
    const pages = globSync(join(FOLDER, '*.md')).map((file) => basename(file, '.md'));
    expect(pages.toSorted()).toEqual([...new Set(alarms.map(pageOf))].toSorted());
    for (const name of pages) {
      expect(page(name)).toMatch(new RegExp(`^# ${name}\\n\\n[^#]+\\n## Look\\n[\\s\\S]+\\n## Do\\n`));
      expect(page(name).split('\n').length, name).toBeLessThan(45);
    }
  });

  it('that one page stands for are named there, each', () => {
    for (const error of SERVICE_ALARM_ERRORS) expect(page('serviceAlarm')).toContain(`\`${error}\``);
    for (const type of Object.keys(MEDIA_ALARM_ERRORS)) expect(page('mediaService')).toContain(`\`${type}\``);
  });
});

describe('the failures', () => {
  it('have a page each: what happens by itself, and what is left for people', () => {
    const pages = globSync(join(MONITORING, 'runbook', 'failure', '*.md'));
    expect(pages).toHaveLength(11);
    for (const file of pages) {
      const text = readFileSync(file, 'utf8');
      expect(text).toMatch(
        new RegExp(
          `^# ${basename(file, '.md')}\\n\\n[^#]+\\n## By itself\\n\\n- [^#]+\\n## Do\\n\\n- [^#]+$`,
        ),
      );
      // An alarm that is named as having a page has one.
      for (const [, alarm] of text.matchAll(/page of the alarm `(\w+)`/g))
        expect(existsSync(join(MONITORING, 'runbook', 'alarm', `${alarm}.md`)), alarm).toBe(true);
    }
  });
});
