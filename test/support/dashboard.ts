import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';

/** Files for Prometheus and Grafana. */
export const MONITORING = resolve(import.meta.dirname, '../../systemd/monitoring');

/** Grafana replaces it by a span that fits the picture. */
const SPAN = '$__rate_interval';

const sourceSchema = z.object({ type: z.literal('prometheus'), uid: z.string().regex(/^\$\{datasource\}$/) });

const queryPanelSchema = z.object({
  id: z.int().positive(),
  type: z.enum(['stat', 'timeseries', 'table']),
  title: z.string().min(1),
  gridPos: z.object({
    h: z.int().min(3),
    w: z.int().min(1).max(24),
    x: z.int().min(0).max(23),
    y: z.int().min(0),
  }),
  datasource: sourceSchema,
  targets: z
    .array(
      z.object({ refId: z.string().regex(/^[A-Z]$/), datasource: sourceSchema, expr: z.string().min(1) }),
    )
    .min(1),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }), overrides: z.array(z.unknown()) }),
  options: z.object({}),
});

const rowSchema = z.object({
  id: z.int().positive(),
  type: z.literal('row'),
  title: z.string().min(1),
  collapsed: z.literal(false),
  gridPos: z.object({ h: z.literal(1), w: z.literal(24), x: z.literal(0), y: z.int().min(0) }),
  panels: z.array(z.never()),
});

/** A dashboard as Grafana writes and reads it (JSON model, schema version 39), as far as ours use it. */
export const dashboardSchema = z.object({
  uid: z.string().regex(/^carillon-[a-z-]{1,31}$/),
  title: z.string().startsWith('Carillon: '),
  description: z.string().min(1),
  tags: z.array(z.string()).min(1),
  schemaVersion: z.int().min(36),
  version: z.int().positive(),
  editable: z.boolean(),
  refresh: z.string(),
  time: z.object({ from: z.string(), to: z.literal('now') }),
  timezone: z.string(),
  templating: z.object({
    list: z
      .array(
        z.object({
          name: z.string(),
          type: z.enum(['datasource', 'query']),
          definition: z.string().optional(),
        }),
      )
      .min(1),
  }),
  annotations: z.object({ list: z.array(z.unknown()) }),
  panels: z.array(z.discriminatedUnion('type', [queryPanelSchema, rowSchema])).min(6),
});

export type Dashboard = z.output<typeof dashboardSchema>;

/** The files, by name, as JSON. */
export const dashboardFiles = (): ReadonlyMap<string, unknown> =>
  new Map(
    globSync(join(MONITORING, 'dashboard', '*.json'))
      .toSorted()
      .map((file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8'))]),
  );

/** Queries to Prometheus, every variable of ours standing for all of its values. */
export const expressionsOf = ({
  panels,
}: Dashboard): readonly { readonly title: string; readonly expr: string }[] =>
  panels.flatMap((panel) =>
    panel.type === 'row'
      ? []
      : panel.targets.map(({ expr }) => ({
          title: panel.title,
          expr: expr.replaceAll(SPAN, '1m').replaceAll('$instance', '.*'),
        })),
  );

/** Names of metrics in an expression. */
export const metricsIn = (expr: string): readonly string[] =>
  expr.match(/\b(?:carillon|process|nodejs)_[a-z0-9_]+/g) ?? [];

export const rulesText = (): string => readFileSync(join(MONITORING, 'alert-rules.yml'), 'utf8');
