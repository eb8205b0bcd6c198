-- The ledger in PostgreSQL >= 14: synchronous_commit=on where an intent is written, off elsewhere.
CREATE TABLE task (
  task_id TEXT PRIMARY KEY CHECK (length(task_id) BETWEEN 1 AND 200),
  workflow TEXT NOT NULL, code_version TEXT NOT NULL, input_hash TEXT NOT NULL, input_ref TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running','halted','done','failed','compensating','compensated','abandoned')),
  fence BIGINT NOT NULL DEFAULT 0, owner TEXT, lease_until_ms BIGINT,
  clock_ms BIGINT NOT NULL                      -- hybrid clock: max(last value, wall); every deadline is judged against it
);
CREATE TABLE event (                              -- append-only; the only source of truth
  event_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task(task_id),
  step_seq BIGINT NOT NULL,                      -- allocated once by 'planned', never reused
  step_path TEXT NOT NULL,                        -- tree address: '7', '7/inv-123', '7/b2/1' (loops and branches)
  step_name TEXT NOT NULL,
  attempt BIGINT NOT NULL CHECK (attempt >= 0),
  kind TEXT NOT NULL CHECK (kind IN ('planned','call_intent','acked','done','failed','uncertain','queried','absent','needs_human',
    'human_resolved','comp_intent','comp_done','comp_uncertain','comp_needs_human','late_evidence','abandoned')),
  status TEXT NOT NULL, effect_class TEXT NOT NULL CHECK (effect_class IN ('read','idem_write','non_idem_write')),
  idempotency_key TEXT NOT NULL, input_hash TEXT NOT NULL, input_ref TEXT,
  receipt TEXT CHECK (receipt IS NULL OR length(receipt) <= 4096),   -- what the downstream answered, inline and small
  output_ref TEXT, output_sha256 TEXT,
  started_at BIGINT, finished_at BIGINT, at_ms BIGINT NOT NULL,
  fence BIGINT NOT NULL, step_def_hash TEXT NOT NULL, body JSONB NOT NULL DEFAULT '{}'::jsonb,
  CHECK (kind NOT IN ('acked','done','comp_done') OR finished_at IS NOT NULL)
);
CREATE UNIQUE INDEX event_plan_once   ON event(task_id, step_path)          WHERE kind='planned';
CREATE UNIQUE INDEX event_seq_once    ON event(task_id, step_seq)           WHERE kind='planned';
CREATE UNIQUE INDEX event_key_once    ON event(idempotency_key)             WHERE kind='planned';
CREATE UNIQUE INDEX event_intent_once ON event(task_id, step_seq, attempt)  WHERE kind='call_intent';
CREATE UNIQUE INDEX event_done_once   ON event(task_id, step_seq)           WHERE kind='done';
CREATE UNIQUE INDEX event_comp_once   ON event(task_id, step_seq, attempt)  WHERE kind='comp_intent';
CREATE UNIQUE INDEX event_compd_once  ON event(task_id, step_seq)           WHERE kind='comp_done';
CREATE INDEX event_by_task ON event(task_id, event_id);
CREATE INDEX event_by_path ON event(task_id, step_path, event_id);
CREATE TABLE step (                               -- projection, same transaction as the event; can be rebuilt
  task_id TEXT NOT NULL REFERENCES task(task_id), step_seq BIGINT NOT NULL, step_path TEXT NOT NULL, step_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('PLANNED','IN_FLIGHT','ACKED','UNCERTAIN','ABSENT','DONE','FAILED','NEEDS_HUMAN','ABANDONED',
    'COMP_IN_FLIGHT','COMP_UNCERTAIN','COMPENSATED','COMP_NEEDS_HUMAN')),
  attempt BIGINT NOT NULL, fence BIGINT NOT NULL, idempotency_key TEXT NOT NULL UNIQUE, input_hash TEXT NOT NULL,
  business_key TEXT,                              -- hash(effect target + identity fields); guards re-issue across steps and tasks
  first_intent_ms BIGINT, last_intent_ms BIGINT, output_ref TEXT, last_event_id BIGINT NOT NULL,
  PRIMARY KEY (task_id, step_seq), UNIQUE (task_id, step_path)
);
CREATE UNIQUE INDEX step_business_open ON step(business_key) WHERE business_key IS NOT NULL AND state IN ('IN_FLIGHT','ACKED','UNCERTAIN','ABSENT','NEEDS_HUMAN');
CREATE TABLE inbox (
  item_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task_id TEXT NOT NULL, step_seq BIGINT NOT NULL, reason TEXT NOT NULL,
  opened_ms BIGINT NOT NULL, opened_event BIGINT NOT NULL REFERENCES event(event_id),
  resolved_ms BIGINT, resolution TEXT CHECK (resolution IN ('it_happened','it_did_not_happen','abandon','compensate','no_compensate')),
  resolver TEXT, evidence TEXT,
  CHECK ((resolved_ms IS NULL) = (resolution IS NULL))
);
CREATE UNIQUE INDEX inbox_open_once ON inbox(task_id, step_seq) WHERE resolved_ms IS NULL;
CREATE TABLE snapshot (task_id TEXT NOT NULL, upto_event BIGINT NOT NULL, state JSONB NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (task_id, upto_event));
CREATE TABLE blob (sha256 TEXT PRIMARY KEY, data BYTEA NOT NULL);   -- long outputs: where every worker reads them, and outside the log
CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT NOT NULL);
INSERT INTO meta VALUES ('schema','1'),('key_scheme','stepcheck-key/1');
CREATE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'event log is append-only'; END $$;
CREATE TRIGGER event_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON event FOR EACH STATEMENT EXECUTE FUNCTION event_append_only();
