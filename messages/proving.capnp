@0xd5b8c1e0a94f3a27;
# The API of a cuzk node. Connect to its unix socket (or TCP port), take the bootstrap capability `Gate`, call `hello`,
# and use the `Node` it returns.
#
# Expected refusals are data: a `Refusal` in the result says what was wrong, where, and whether a retry can help. An
# exception means a broken connection, an overloaded node or a fault of ours.
#
# Units stand in the names. Times are milliseconds; "wall" times are Unix time. Numbers are never reused.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("cuzk::rpc");

const apiVersion :UInt16 = 1;
# Raised when an old client or server would misunderstand. Added fields and methods do not raise it.

enum Code {
  # What went wrong, grouped by what a caller can do. Names in other places: bad_input, gpu_fault ...
  badInput @0;         # file, field or argument wrong; retry does not help
  params @1;           # proving key missing, damaged or not allowed; no
  resources @2;        # memory, disk or a bound of the queue; later
  gpuFault @3;         # device error after retries; elsewhere
  selfCheckFailed @4;  # our own proof did not verify; once
  cancelled @5;        # by whom is in the text; no
  deadline @6;         # passed or hopeless; no
  shutdown @7;         # the node drains; elsewhere
  unauthorized @8;     # no
  notFound @9;         # unknown job, key or lane; no
  conflict @10;        # same request id with another payload; already so; no
  unavailable @11;     # connection lost (only made by clients); yes
  internal @12;        # a fault of ours; maybe
}

struct Refusal {
  code @0 :Code;
  text @1 :Text;
  # One sentence: what was found and what was expected.

  where @2 :Text;
  # JSON path, byte offset, or file and section; empty where there is no place.

  retryAfterMs @3 :UInt32;
  # Only with `resources`; 0 = not known.
}

interface Gate {
  # The bootstrap capability.

  hello @0 (apiVersion :UInt16, client :Text, token :Data) -> Hello;
  # `client` is for the log, such as "cuzk 0.1.0". `token` is needed on TCP beyond loopback only.
  # Another apiVersion is refused with both values; a wrong token as `unauthorized`.

  struct Hello {
    union {
      node @0 :Node;
      refused @1 :Refusal;
    }
    apiVersion @2 :UInt16;
    version @3 :Text;
    # Of the node: "0.1.0 (commit)".
  }
}

interface Node {
  upload @0 (bytes :UInt64, sha256 :Data) -> UploadStart;
  # Begins to send an input. `sha256` is its digest, checked when all has come.
  # Refusals: badInput (larger than the node takes), resources (too many bytes are on their way), shutdown.

  submit @1 (request :JobRequest, input :Input) -> Submitted;
  # Accepts a job: when this returns `job` the job is on disk and survives a crash. With a request id seen before and
  # the same payload it returns the first job (`attached`); with another payload it refuses with `conflict`.
  # A client that goes away does not cancel its jobs.

  await @2 (job :UInt64, timeoutMs :UInt32) -> Found;
  # Answers when the job is final or the time is over; look at `state`. At most an hour; 0 asks without waiting.

  get @3 (job :UInt64, requestId :Text) -> Found;
  # The job by number, or by request id when `job` is 0.

  cancel @4 (job :UInt64, by :Text) -> Cancelled;
  # Work under way stops at the next kernel boundary. Refusals: notFound; conflict when already final.

  list @5 (limit :UInt32, before :UInt64, unfinishedOnly :Bool) -> (jobs :List(JobReport), more :Bool);
  # Newest first, without proofs; `before` = 0 begins with the newest.

  watch @6 (sink :EventSink, job :UInt64) -> (subscription :Subscription);
  # Pushes every event from now on, of one job or (0) of all. Drop the subscription to end it. A sink that does not
  # keep up is dropped.

  status @7 () -> NodeStatus;

  preload @8 (circuit :Text) -> KeyDone;
  # Loads a proving key and its matrices and keeps them until evicted; answers when they are there.

  evict @9 (circuit :Text) -> KeyDone;
  # Refusals: notFound (not loaded), conflict ("in use by 2 jobs").

  pause @10 () -> Done;
  # Accepts jobs but starts nothing.

  resume @11 () -> Done;

  drain @12 (limitMs :UInt32) -> Done;
  # Refuses new jobs and finishes what is accepted, at most for `limitMs` (0 = as long as it takes). What is left
  # then stays in the journal for the next start: `resources`.

  metrics @13 () -> (prometheus :Text);
  # The page that HTTP serves under /metrics.

  trace @14 (lastSeconds :UInt32) -> (chrome :Text);
  # Timelines as Chrome trace JSON: opens in Perfetto or chrome://tracing.

  releaseLane @15 (lane :UInt32) -> Done;
  # Takes a lane out of quarantine.
}

struct UploadStart {
  union {
    upload @0 :Upload;
    refused @1 :Refusal;
  }
}

interface Upload {
  write @0 (chunk :Data) -> stream;
  # Chunks of at most 4 MiB, in order. Bytes beyond the announced size end the upload.

  finish @1 () -> UploadDone;
  # Refusals: badInput when size or digest differ from what was announced.
}

struct UploadDone {
  union {
    input @0 :Input;
    refused @1 :Refusal;
  }
}

interface Input {
  # Bytes the node holds for this connection until the capability is dropped. May be submitted several times.
}

struct JobRequest {
  requestId @0 :Text;
  # Chosen by the client, 1 to 200 bytes of UTF-8 without control characters; the same again means the same job.

  kind @1 :Text;
  # "porep", "winning", "window", "snap"; empty: read from the input.

  circuit @2 :Text;
  # "porep-32g" ...; empty: read from the input.

  background @3 :Bool;
  # Behind everything else.

  priority @4 :Int32;
  # Within the class; higher goes first.

  deadlineWallMs @5 :Int64;
  # The result is worthless after this; 0 = none.

  proverId @6 :Data;
  # 32 bytes, or empty: identity unchecked (PoRep) or in the input (PoSt).

  hasSector @7 :Bool;
  sector @8 :UInt64;
  # With proverId; without hasSector the sector number of the input is taken.

  r @9 :List(Data);
  s @10 :List(Data);
  # Blinding scalars of the partitions, 32 bytes little endian each; empty = drawn at random (what you want).

  onlyPartition @11 :Int32 = -1;
  # Prove this partition alone.

  flags @12 :Text;
  # JSON object with the fields that accompany a bare array of proofs; empty = none.
}

struct Submitted {
  union {
    job @0 :UInt64;
    refused @1 :Refusal;
  }
  attached @2 :Bool;
  state @3 :JobState;
}

enum JobState {
  checking @0;
  accepting @1;
  queued @2;
  running @3;
  done @4;
  failed @5;
  cancelled @6;
}

struct Found {
  union {
    job @0 :JobReport;
    refused @1 :Refusal;
  }
}

struct Cancelled {
  union {
    state @0 :JobState;
    refused @1 :Refusal;
  }
}

struct Done {
  union {
    ok @0 :Void;
    refused @1 :Refusal;
  }
}

struct KeyDone {
  union {
    loaded @0 :KeyFacts;
    refused @1 :Refusal;
  }
  struct KeyFacts {
    bytes @0 :UInt64;
    tookMs @1 :Int64;
  }
}

struct JobReport {
  job @0 :UInt64;
  requestId @1 :Text;
  kind @2 :Text;
  circuit @3 :Text;
  class @4 :Text;
  # "winning", "window", "bulk", "background"

  state @5 :JobState;
  failure @6 :Refusal;
  # Only for failed and cancelled.

  waitsFor @7 :Text;
  # Why nothing moves; empty: it moves.

  submittedWallMs @8 :Int64;
  startedWallMs @9 :Int64;
  finishedWallMs @10 :Int64;
  deadlineWallMs @11 :Int64;
  # 0 = not yet, or none.

  partitions @12 :UInt32;
  partitionsDone @13 :UInt32;
  percent @14 :UInt32;
  etaMs @15 :UInt32;
  # 0 = not known.

  parts @16 :List(PartitionReport);
  proof @17 :Data;
  # 192 bytes a partition, in order; only when done.

  testKey @18 :Bool;
  # Proved with an insecure test key: worthless outside tests.

  identity @19 :Text;
  # "checked", "unchecked", "in input"

  device @20 :Text;
  # "cpu", or the devices that proved it.
}

struct PartitionReport {
  partition @0 :UInt32;
  state @1 :Text;
  attempt @2 :UInt32;
  stage @3 :Text;
  lane @4 :Text;
  totalMs @5 :UInt32;
}

struct Event {
  number @0 :UInt64;
  # Counts the events of this run of the node, without gaps.

  wallMs @1 :Int64;
  job @2 :UInt64;
  what @3 :Text;
  # accepted, started, stage, partition_done, retry, waits, done, failed, cancelled

  partition @4 :UInt32;
  attempt @5 :UInt32;
  detail @6 :Text;
  state @7 :JobState;
  percent @8 :UInt32;
}

interface EventSink {
  event @0 (event :Event) -> stream;
}

interface Subscription {
  # Ends when dropped.
}

struct NodeStatus {
  phase @0 :Text;
  # starting, serving, paused, draining, stopped

  ready @1 :Bool;
  uptimeMs @2 :Int64;
  device @3 :Text;
  # "cpu" said plainly, or the devices.

  testKeysAllowed @4 :Bool;
  version @5 :Text;
  actors @6 :List(ActorHealth);
  lanes @7 :List(Lane);
  queue @8 :Queue;
  memory @9 :Memory;
  paramsDir @10 :Text;
  keys @11 :List(Key);
  jobs @12 :Jobs;
  unanswered @13 :List(Text);
  # Actors that did not answer in time; their part is empty.

  struct ActorHealth {
    name @0 :Text;
    up @1 :Bool;
    restarts @2 :UInt32;
    lastDeath @3 :Text;
  }
  struct Lane {
    lane @0 :UInt32;
    name @1 :Text;
    device @2 :Text;
    credits @3 :UInt32;
    inFlight @4 :UInt32;
    quarantined @5 :Bool;
    reason @6 :Text;
    faults @7 :UInt32;
    proved @8 :UInt64;
    workingOn @9 :List(Text);
  }
  struct Queue {
    toPrepare @0 :UInt32;
    toSynthesize @1 :UInt32;
    synthesizing @2 :UInt32;
    ready @3 :UInt32;
    proving @4 :UInt32;
    finalizing @5 :UInt32;
    oldestWaitMs @6 :UInt64;
    retries @7 :UInt64;
    quarantines @8 :UInt64;
  }
  struct Memory {
    hostTotalBytes @0 :UInt64;
    hostUsedBytes @1 :UInt64;
    pinnedTotalBytes @2 :UInt64;
    pinnedUsedBytes @3 :UInt64;
    deviceTotalBytes @4 :UInt64;
    deviceUsedBytes @5 :UInt64;
    waiting @6 :UInt32;
  }
  struct Key {
    circuit @0 :Text;
    state @1 :Text;
    bytes @2 :UInt64;
    leases @3 :UInt32;
    pinned @4 :Bool;
    testKey @5 :Bool;
    path @6 :Text;
    failure @7 :Refusal;
  }
  struct Jobs {
    accepted @0 :UInt64;
    attached @1 :UInt64;
    refused @2 :UInt64;
    done @3 :UInt64;
    failed @4 :UInt64;
    cancelled @5 :UInt64;
    unfinished @6 :UInt32;
    inputBytesQueued @7 :UInt64;
    journalOk @8 :Bool;
  }
}
