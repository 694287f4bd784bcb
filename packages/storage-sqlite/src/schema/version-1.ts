/**
 * Tables of schema version 1.
 *
 * `envelope` is append-only in global order and has no index beside its row number: a second one, or
 * clustering by channel, would touch a page per envelope in every commit. A position is found from
 * the channel's newest row or from the nearest anchor by following `prev`.
 *
 * `head` holds the newest row of every channel as of the mark `heads_to`; later rows are read from
 * the log.
 */
export const VERSION_1 = `
CREATE TABLE envelope (
  n INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  position INTEGER NOT NULL,
  prev INTEGER NOT NULL,
  id TEXT NOT NULL,
  sender TEXT NOT NULL,
  causation TEXT,
  type TEXT NOT NULL,
  hash BLOB NOT NULL,
  content_digest BLOB NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE anchor (
  channel INTEGER NOT NULL,
  position INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (channel, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE channel (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;
CREATE INDEX channel_open ON channel (id) WHERE state NOT IN ('closed', 'expired');

CREATE TABLE member (
  agent_id TEXT NOT NULL,
  channel_id TEXT NOT NULL,
  PRIMARY KEY (agent_id, channel_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE head (
  channel INTEGER PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT;

CREATE TABLE snapshot (
  channel INTEGER PRIMARY KEY,
  n INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;

CREATE TABLE delivery (
  agent_id TEXT NOT NULL,
  channel_id TEXT NOT NULL,
  cursor TEXT NOT NULL,
  floor INTEGER NOT NULL,
  above TEXT NOT NULL,
  settled INTEGER NOT NULL,
  PRIMARY KEY (agent_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_open ON delivery (agent_id, channel_id) WHERE settled = 0;

CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX audit_kind ON audit (kind);

CREATE TABLE record (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE mark (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW wal AS
SELECT
  channel.id AS channel_id,
  envelope.position,
  envelope.sender,
  envelope.type,
  envelope.body,
  envelope.id AS envelope_id,
  envelope.n AS row
FROM envelope JOIN channel ON channel.n = envelope.channel
ORDER BY envelope.n;
`;
