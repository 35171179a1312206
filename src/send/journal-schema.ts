/** Raised with every change of the tables; a journal of a later version is refused. */
export const JOURNAL_VERSION = 4;

const IDENTITY = `
  CREATE TABLE identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    journal TEXT NOT NULL,
    previous TEXT,
    commits INTEGER NOT NULL DEFAULT 0,
    tally INTEGER NOT NULL DEFAULT 0,
    copy INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO identity (id, journal) VALUES (1, lower(hex(randomblob(16))));
  CREATE TRIGGER attempt_line AFTER INSERT ON attempt BEGIN UPDATE identity SET tally = tally + 1; END;
  CREATE TRIGGER document_attempt AFTER UPDATE OF attempts ON document WHEN NEW.attempts <> OLD.attempts
    BEGIN UPDATE identity SET tally = tally + NEW.attempts - OLD.attempts; END;
`;

/** What `identity.tally` must be. */
export const TALLY = `(SELECT coalesce(sum(attempts), 0) FROM document) + (SELECT count(*) FROM attempt)`;

/**
 * `document` is small and changes, `content` is large and never does.
 * A number belongs to one document for ever: the index on the series says so.
 * `period` is the month of a document within its test set; `predecessor` what a note corrects, where it is known;
 * `waits_for` what must be accepted before the document may leave; `number` is there where people write it otherwise
 * than as prefix and consecutive; `made` the ids of its stages that are over; `answer` what is worth keeping of the verdict.
 * `settled` is who said what of a document that nobody could be asked about, and when.
 * Run states: draft (spooled, nothing sent, may vanish) → open → closed (all final). A draft with `held` stays until a
 * person approves it: `approval` is who did, when, and of which `digest`. `abandonment` is why a run was given up, and when.
 * `identity` says which journal it is, and how often it was written; `tally` adds up what must be found again: attempts
 * counted at documents, and lines of `attempt`. `purged` is when a run lost what is personal in it.
 */
export const JOURNAL_SCHEMA = `
  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
    created INTEGER NOT NULL,
    ended INTEGER,
    test_set TEXT,
    meta TEXT NOT NULL,
    stopped TEXT,
    digest TEXT,
    held INTEGER,
    approval TEXT,
    abandonment TEXT,
    purged INTEGER
  ) STRICT;

  CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run (id),
    sequence INTEGER NOT NULL,
    key TEXT NOT NULL,
    name TEXT,
    schema TEXT NOT NULL,
    subject TEXT,
    hash TEXT NOT NULL,
    place TEXT,
    type_document_id INTEGER,
    prefix TEXT,
    consecutive INTEGER,
    state TEXT NOT NULL CHECK (state IN ('planned', 'sending', 'accepted', 'rejected', 'pending', 'unknown')),
    doubt INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    document_code TEXT,
    zip_key TEXT,
    issues TEXT,
    earlier INTEGER REFERENCES document (id),
    updated INTEGER NOT NULL,
    period TEXT,
    predecessor INTEGER REFERENCES document (id),
    waits_for INTEGER REFERENCES document (id),
    number TEXT,
    made TEXT,
    settled TEXT
  ) STRICT;
  CREATE UNIQUE INDEX document_sequence ON document (run, sequence);
  CREATE UNIQUE INDEX document_number ON document (type_document_id, prefix, consecutive) WHERE consecutive IS NOT NULL;
  CREATE INDEX document_subject ON document (subject);
  CREATE INDEX document_period ON document (period);
  CREATE INDEX document_code ON document (document_code) WHERE document_code IS NOT NULL;
  CREATE INDEX document_waiting ON document (run) WHERE waits_for IS NOT NULL;
  CREATE INDEX document_pending ON document (run, sequence) WHERE state = 'pending';

  CREATE TABLE content (
    document INTEGER PRIMARY KEY REFERENCES document (id),
    body TEXT NOT NULL,
    trace TEXT NOT NULL
  ) STRICT;

  CREATE TABLE answer (
    document INTEGER PRIMARY KEY REFERENCES document (id),
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id),
    at INTEGER NOT NULL,
    asked TEXT NOT NULL,
    answered TEXT NOT NULL,
    excerpt TEXT
  ) STRICT;

  CREATE TABLE finding (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run (id),
    kind TEXT NOT NULL CHECK (kind IN ('issue', 'skip')),
    content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX finding_run ON finding (run, kind);
  ${IDENTITY}`;

/** What makes a journal of each version into one of the next. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `
    ALTER TABLE document ADD COLUMN period TEXT;
    ALTER TABLE document ADD COLUMN predecessor INTEGER REFERENCES document (id);
    ALTER TABLE document ADD COLUMN waits_for INTEGER REFERENCES document (id);
    UPDATE document SET period = (
      SELECT coalesce(r.test_set || '|', '') || substr(own.rest, instr(own.rest, '|') + 1, 7)
      FROM run r, (SELECT substr(document.subject, length(coalesce(r2.test_set || '|', '')) + 1) AS rest
        FROM run r2 WHERE r2.id = document.run) own
      WHERE r.id = document.run) WHERE subject IS NOT NULL;
    CREATE INDEX document_period ON document (period);
    CREATE INDEX document_code ON document (document_code) WHERE document_code IS NOT NULL;
    CREATE INDEX document_waiting ON document (run) WHERE waits_for IS NOT NULL;`,
  2: `
    ALTER TABLE document ADD COLUMN number TEXT;
    ALTER TABLE document ADD COLUMN made TEXT;
    CREATE TABLE answer (document INTEGER PRIMARY KEY REFERENCES document (id), body TEXT NOT NULL) STRICT;`,
  3: `
    ALTER TABLE run ADD COLUMN digest TEXT;
    ALTER TABLE run ADD COLUMN held INTEGER;
    ALTER TABLE run ADD COLUMN approval TEXT;
    ALTER TABLE run ADD COLUMN abandonment TEXT;
    ALTER TABLE run ADD COLUMN purged INTEGER;
    ALTER TABLE document ADD COLUMN settled TEXT;
    ${IDENTITY}
    UPDATE identity SET tally = ${TALLY};`,
};
