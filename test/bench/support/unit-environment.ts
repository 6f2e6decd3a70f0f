/** As the units say (`systemd/carillon-appliance.service`, `systemd/cloud/carillon-cloud.service`). */
export const UNIT_ENVIRONMENT = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
