/**
 * Triggers that note which replica wrote each observation of a host, and each one by a replica whose shard another had taken. The
 * name of the connection says which replica writes; the last taker of a shard is the only one that may. `said`: what became of the host;
 * times are those of the database, since the clocks of the replicas differ.
 */
export const OBSERVATION_WATCH = `
  CREATE TABLE shard_taker (sh TEXT PRIMARY KEY, taker TEXT);
  CREATE TABLE trespass (uid TEXT, writer TEXT, taker TEXT, what TEXT);
  CREATE TABLE observed (n BIGSERIAL, uid TEXT, writer TEXT, at TIMESTAMPTZ DEFAULT clock_timestamp(), said TEXT);
  CREATE FUNCTION note_taker() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO shard_taker VALUES (NEW.sh, current_setting('application_name'))
      ON CONFLICT (sh) DO UPDATE SET taker = EXCLUDED.taker;
    RETURN NEW; END $$;
  CREATE TRIGGER taker AFTER UPDATE ON shard_lease FOR EACH ROW
    WHEN (OLD.epoch <> NEW.epoch) EXECUTE FUNCTION note_taker();
  CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE t TEXT; said TEXT; BEGIN
    SELECT taker INTO t FROM shard_taker JOIN host USING (sh) WHERE host.uid = NEW.uid;
    IF TG_TABLE_NAME = 'host_status' AND to_jsonb(OLD)->>'connectivity' <> to_jsonb(NEW)->>'connectivity' THEN
      said := to_jsonb(NEW)->>'connectivity'; END IF;
    INSERT INTO observed (uid, writer, said) VALUES (NEW.uid, current_setting('application_name'), said);
    IF t <> current_setting('application_name') THEN
      INSERT INTO trespass VALUES (NEW.uid, current_setting('application_name'), t, TG_TABLE_NAME); END IF;
    RETURN NEW; END $$;
  CREATE TRIGGER writer AFTER UPDATE ON host_status FOR EACH ROW
    WHEN (OLD.sid IS DISTINCT FROM NEW.sid OR OLD.last_seen IS DISTINCT FROM NEW.last_seen
      OR OLD.connectivity <> NEW.connectivity) EXECUTE FUNCTION note_writer();
  CREATE TRIGGER writer AFTER INSERT ON site_event FOR EACH ROW EXECUTE FUNCTION note_writer();
  CREATE TRIGGER writer AFTER INSERT OR UPDATE ON lane_cursor FOR EACH ROW EXECUTE FUNCTION note_writer();
  UPDATE shard_lease SET owner = '', until = 0;
`;
