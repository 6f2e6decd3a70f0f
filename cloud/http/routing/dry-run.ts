/** The word of a query that asks for a dry run, and the header of an answer that is one. */
export const DRY_RUN = 'dryRun';
export const DRY_RUN_HEADER = 'Carillon-Dry-Run';

const RESOURCES = [
  '/provisioning/alarmbridge/{domain}',
  '/provisioning/alarmeventmapper/{domain}',
  '/provisioning/cloudsipua/{domain}',
  '/provisioning/trunk/{domain}',
  '/provisioning/protocolprofile/{domain}',
  '/mediaservice/{domain}',
  '/callrecording/{domain}',
] as const;

/** A path whose writes touch the store alone, so that a rolled-back transaction undoes all of them. */
interface Rehearsed {
  readonly path: string;
  readonly methods: readonly string[];
  /** Where the resource reads: under this very path, or below it under the id that this member of the answer or of the body names. */
  readonly reads?: 'here' | 'id' | 'deviceId' | 'siteId' | 'domain';
}

const REHEARSED: readonly Rehearsed[] = [
  ...RESOURCES.flatMap((path): Rehearsed[] => [
    { path, methods: ['POST'], reads: 'id' },
    { path: `${path}/{id}`, methods: ['PUT', 'PATCH', 'DELETE'], reads: 'here' },
    { path: `${path}/{id}/restore`, methods: ['POST'] },
  ]),
  { path: '/provisioning/alarmbridge/{domain}/{id}/trymap', methods: ['POST'] },
  { path: '/provisioning/device/{domain}', methods: ['PUT'], reads: 'deviceId' },
  { path: '/provisioning/device/{domain}/{id}', methods: ['PATCH', 'DELETE'], reads: 'here' },
  { path: '/provisioning/notificationsettings/{domain}', methods: ['PUT'], reads: 'here' },
  { path: '/provisioning/configuration/{domain}', methods: ['PUT'], reads: 'here' },
  { path: '/provisioning/configuration/{domain}/promote', methods: ['POST'] },
  { path: '/provisioning/currentuser/profile', methods: ['POST', 'PUT', 'PATCH'], reads: 'here' },
  { path: '/provisioning/user/{domain}/{id}', methods: ['PUT'] },
  { path: '/platform/tenant', methods: ['POST'], reads: 'domain' },
  { path: '/platform/tenant/{domain}', methods: ['PATCH'], reads: 'here' },
  { path: '/site/{domain}', methods: ['POST'], reads: 'siteId' },
  { path: '/site/{domain}/maintenance', methods: ['POST'] },
  { path: '/site/{domain}/{id}/host/{id}/labels', methods: ['PUT'] },
];

/** An import has its own dry run: it goes on after the answer. */
const OWN_DRY_RUN = '/provisioning/device/{domain}/bulk/{id}';

export type DryRunMethod = Pick<Rehearsed, 'reads'> | 'own' | 'none';

const BY_SHAPE = new Map(
  REHEARSED.flatMap(({ path, methods, reads }) =>
    methods.map((method) => [`${method} ${shape(path)}`, reads === undefined ? {} : { reads }] as const),
  ),
);

/** How a route answers `?dryRun=true`; `path` with parameters as the description or as the router writes them. */
export function dryRunMethod(method: string, path: string): DryRunMethod {
  if (shape(path) === shape(OWN_DRY_RUN)) return 'own';
  return BY_SHAPE.get(`${method} ${shape(path)}`) ?? 'none';
}

/** A path without the names of its parameters. */
function shape(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '*');
}
