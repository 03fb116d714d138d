#!/usr/bin/env python3
"""Real processes: two clients submit eight jobs of two kinds at once, one is cancelled, one input is damaged, the node is
killed with -9 in the middle and started again. Every accepted job ends exactly once, every proof verifies, the damaged
one has its typed error. Usage: kill_and_restart.py BIN_DIR SAMPLES_DIR"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

BIN, SAMPLES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PATIENCE_S = 240


def fail(text):
    print("FAILED:", text)
    sys.exit(1)


class node:
    def __init__(self, work):
        self.work = work
        self.address = f"unix:{work}/cuzk.sock"
        self.starts = 0

    def start(self):
        self.starts += 1
        log = open(self.work / f"node-{self.starts}.log", "w")
        self.process = subprocess.Popen(
            [BIN / "cuzkd", "--api.socket", self.work / "cuzk.sock", "--node.state_dir", self.work / "state",
             "--params.dir", self.work / "keys", "--params.allow_test_keys"], stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while self.run("status")[0] != 0:
            if time.monotonic() > deadline or self.process.poll() is not None:
                fail("the node does not come up:\n" + (self.work / f"node-{self.starts}.log").read_text())
            time.sleep(0.1)

    def command(self, *args):
        return [str(BIN / "cuzk"), "--json", "--node", self.address, *map(str, args)]

    def run(self, *args):
        done = subprocess.run(self.command(*args), capture_output=True, text=True, timeout=PATIENCE_S)
        return done.returncode, (json.loads(done.stdout) if done.stdout.strip() else {})


def key(work, circuit):
    subprocess.run([BIN / "cuzk", "params", "generate-test", circuit, "--seed", "1", "--dir", work / "keys"], check=True,
                   capture_output=True)


def verify(work, sample, proof_hex, kind):
    proof = work / "proof.bin"
    proof.write_bytes(bytes.fromhex(proof_hex))
    hashes = {"winning": "3ea05428", "window": "0170db1f"}
    vk = next(p for p in (work / "keys").glob("*.vk") if hashes[kind] in p.name)
    done = subprocess.run([BIN / "cuzk", "verify", sample, proof, "--vk", vk], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"a proof of {kind} does not verify: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        key(work, "winning-2k")
        key(work, "window-2k")
        damaged = json.loads((SAMPLES / "window-2k.json").read_text())
        damaged["proofs"][0] = damaged["proofs"][0][:-8] + "AAAAAAA="  # another comm_r_last than the paths lead to
        (work / "damaged.json").write_text(json.dumps(damaged))
        n = node(work)
        n.start()

        # Two clients at once.
        plan = [("winning", "winning-2k.json"), ("window", "window-2k.json")] * 4
        clients = [subprocess.Popen(n.command("submit", SAMPLES / name, "--request-id", f"job-{i}"),
                                    stdout=subprocess.PIPE, text=True) for i, (_, name) in enumerate(plan)]
        accepted = [json.loads(c.communicate(timeout=PATIENCE_S)[0]) for c in clients]
        jobs = [a["job"] for a in accepted]
        if len(set(jobs)) != 8:
            fail(f"eight requests, jobs {jobs}")
        status, bad = n.run("submit", work / "damaged.json", "--request-id", "bad")
        if status not in (0, 2):
            fail(f"the damaged input: exit {status}, {bad}")
        victim = jobs[7]
        n.run("cancel", victim)

        # The same request again is the same job; another payload under its name is refused.
        if n.run("submit", SAMPLES / plan[0][1], "--request-id", "job-0")[1].get("job") != jobs[0]:
            fail("the same request became another job")
        if n.run("submit", SAMPLES / plan[1][1], "--request-id", "job-0")[0] != 12:
            fail("another payload under a known request id was taken")

        n.process.send_signal(signal.SIGKILL)
        n.process.wait()
        n.start()

        for i, job in enumerate(jobs):
            status, report = n.run("await", job, "--timeout", PATIENCE_S)
            if job == victim:
                if report.get("state") not in ("cancelled", "done"):
                    fail(f"the cancelled job: {report}")
                continue
            if status != 0 or report["state"] != "done":
                fail(f"job {job}: exit {status}, {report}")
            verify(work, SAMPLES / plan[i][1], report["proof"], plan[i][0])
        if bad.get("job"):
            status, report = n.run("await", bad["job"], "--timeout", PATIENCE_S)
            if status != 2 or report["error"]["code"] != "bad_input":
                fail(f"the damaged input: exit {status}, {report}")
        listed = n.run("jobs")[1]["jobs"]
        if sorted(j["job"] for j in listed if j["request_id"].startswith("job-")) != sorted(jobs):
            fail("the list of jobs is another one")
        if any(j["state"] not in ("done", "failed", "cancelled") for j in listed):
            fail("a job is not final")

        n.process.send_signal(signal.SIGTERM)
        if n.process.wait(timeout=60) != 0:
            fail(f"SIGTERM: exit {n.process.returncode}")
    print("ok: 8 jobs over a kill -9, one cancelled, one refused")


if __name__ == "__main__":
    os.environ.pop("CUZK_NODE", None)
    main()
