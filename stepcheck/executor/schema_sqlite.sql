-- The ledger in SQLite >= 3.37: opened with journal_mode=WAL; synchronous=FULL where an intent is written, NORMAL elsewhere.
CREATE TABLE task (
  task_id TEXT PRIMARY KEY CHECK (length(task_id) BETWEEN 1 AND 200),
  workflow TEXT NOT NULL, code_version TEXT NOT NULL, input_hash TEXT NOT NULL, input_ref TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running','halted','done','failed','compensating','compensated','abandoned')),
  fence INTEGER NOT NULL DEFAULT 0, owner TEXT, lease_until_ms INTEGER,
  clock_ms INTEGER NOT NULL                      -- hybrid clock: max(last value, wall); every deadline is judged against it
) STRICT;
CREATE TABLE event (                              -- append-only; the only source of truth
  event_id INTEGER PRIMARY KEY,                   -- only goes up: no event is ever deleted
  task_id TEXT NOT NULL REFERENCES task(task_id),
  step_seq INTEGER NOT NULL,                      -- allocated once by 'planned', never reused
  step_path TEXT NOT NULL,                        -- tree address: '7', '7/inv-123', '7/b2/1' (loops and branches)
  step_name TEXT NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  kind TEXT NOT NULL CHECK (kind IN ('planned','call_intent','acked','done','failed','uncertain','queried','absent','needs_human',
    'human_resolved','comp_intent','comp_done','comp_uncertain','comp_needs_human','late_evidence','abandoned')),
  status TEXT NOT NULL, effect_class TEXT NOT NULL CHECK (effect_class IN ('read','idem_write','non_idem_write')),
  idempotency_key TEXT NOT NULL, input_hash TEXT NOT NULL, input_ref TEXT,
  receipt TEXT CHECK (receipt IS NULL OR length(receipt) <= 4096),   -- what the downstream answered, inline and small
  output_ref TEXT, output_sha256 TEXT,
  started_at INTEGER, finished_at INTEGER, at_ms INTEGER NOT NULL,
  fence INTEGER NOT NULL, step_def_hash TEXT NOT NULL, body TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(body)),
  CHECK ((kind IN ('acked','done','comp_done')) <= (finished_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX event_plan_once   ON event(task_id, step_path)          WHERE kind='planned';
CREATE UNIQUE INDEX event_seq_once    ON event(task_id, step_seq)           WHERE kind='planned';
CREATE UNIQUE INDEX event_key_once    ON event(idempotency_key)             WHERE kind='planned';
CREATE UNIQUE INDEX event_intent_once ON event(task_id, step_seq, attempt)  WHERE kind='call_intent';
CREATE UNIQUE INDEX event_done_once   ON event(task_id, step_seq)           WHERE kind='done';
CREATE UNIQUE INDEX event_comp_once   ON event(task_id, step_seq, attempt)  WHERE kind='comp_intent';
CREATE UNIQUE INDEX event_compd_once  ON event(task_id, step_seq)           WHERE kind='comp_done';
CREATE INDEX event_by_task ON event(task_id, event_id);
CREATE INDEX event_by_path ON event(task_id, step_path, event_id);
CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT,'event log is append-only'); END;
CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT,'event log is append-only'); END;
CREATE TABLE step (                               -- projection, same transaction as the event; can be rebuilt
  task_id TEXT NOT NULL REFERENCES task(task_id), step_seq INTEGER NOT NULL, step_path TEXT NOT NULL, step_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('PLANNED','IN_FLIGHT','ACKED','UNCERTAIN','ABSENT','DONE','FAILED','NEEDS_HUMAN','ABANDONED',
    'COMP_IN_FLIGHT','COMP_UNCERTAIN','COMPENSATED','COMP_NEEDS_HUMAN')),
  attempt INTEGER NOT NULL, fence INTEGER NOT NULL, idempotency_key TEXT NOT NULL UNIQUE, input_hash TEXT NOT NULL,
  business_key TEXT,                              -- hash(effect target + identity fields); guards re-issue across steps and tasks
  first_intent_ms INTEGER, last_intent_ms INTEGER, output_ref TEXT, last_event_id INTEGER NOT NULL,
  PRIMARY KEY (task_id, step_seq), UNIQUE (task_id, step_path)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX step_business_open ON step(business_key) WHERE business_key IS NOT NULL AND state IN ('IN_FLIGHT','ACKED','UNCERTAIN','ABSENT','NEEDS_HUMAN');
CREATE TABLE inbox (
  item_id INTEGER PRIMARY KEY AUTOINCREMENT, task_id TEXT NOT NULL, step_seq INTEGER NOT NULL, reason TEXT NOT NULL,
  opened_ms INTEGER NOT NULL, opened_event INTEGER NOT NULL REFERENCES event(event_id),
  resolved_ms INTEGER, resolution TEXT CHECK (resolution IN ('it_happened','it_did_not_happen','abandon','compensate','no_compensate')),
  resolver TEXT, evidence TEXT,
  CHECK ((resolved_ms IS NULL) = (resolution IS NULL))
) STRICT;
CREATE UNIQUE INDEX inbox_open_once ON inbox(task_id, step_seq) WHERE resolved_ms IS NULL;
CREATE TABLE snapshot (task_id TEXT NOT NULL, upto_event INTEGER NOT NULL, state TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (task_id, upto_event)) STRICT;
CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('schema','1'),('key_scheme','stepcheck-key/1');
