/** Costs of one unit of work; `npm run bench hosts-replicas` prints them in this form. */
export interface Costs {
  /** Machine, load and date of the measurement, or what stands in for it. */
  readonly measured: string;
  /** Processor time of a replica for a heartbeat, µs; a look for configuration each 30 heartbeats is in it. */
  readonly heartbeatUs: number;
  /** Processor time of a replica without hosts, ms a second, and its memory, MB. */
  readonly idleMsPerS: number;
  readonly idleMb: number;
  /** Memory of a replica for a host, kB. */
  readonly hostKb: number;
  /** Processor time of Mosquitto for a heartbeat, µs: it comes and is passed on to the owner. */
  readonly brokerUs: number;
  /** Processor time of PostgreSQL for a replica without hosts, ms a second, and for a row that is written, µs. */
  readonly idleDatabaseMsPerS: number;
  readonly rowUs: number;
  /** Bytes of the log of PostgreSQL for a row. */
  readonly rowLogBytes: number;
  /** Space in the database for a host, and for an event, bytes. */
  readonly hostBytes: number;
  readonly eventBytes: number;
}

export const COSTS: Costs = {
  measured: '10,000 hosts at one replica, two slow cores (AMD EPYC), 2026-11-30',
  heartbeatUs: 327,
  idleMsPerS: 11,
  idleMb: 121,
  hostKb: 12.5,
  brokerUs: 199,
  idleDatabaseMsPerS: 16.1,
  rowUs: 652,
  rowLogBytes: 931,
  hostBytes: 14_057,
  eventBytes: 737,
};
