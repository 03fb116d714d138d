#!/usr/bin/env python3
"""A node on a GPU: mixed jobs through the client, every proof verified, and what its own lines say.
Usage: node_jobs.py BIN_DIR SAMPLES_DIR WORK_DIR DEVICE [JOBS, default 64]
Makes test keys of the four 2 KiB circuits in WORK_DIR, starts cuzkd on DEVICE, submits the jobs all at once, awaits and
verifies each, then prints per circuit: proofs, median milliseconds on the lane by stage, and the gaps between proofs.
Exit status 0 when every proof verifies."""
import collections
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

bin_dir, samples, work, device = (sys.argv[1:5])
jobs = int(sys.argv[5]) if len(sys.argv) > 5 else 64
work = pathlib.Path(work)
work.mkdir(parents=True, exist_ok=True)
prover = ["--prover-id", "01" * 31 + "00", "--sector", "7"]
kinds = [("winning-2k", "winning-2k.json", []), ("porep-2k", "porep-2k-c1.json", prover),
         ("snap-2k", "snap-2k.json", []), ("window-2k", "window-2k.json", ["--partition", "0"])]
os.environ["CUZK_NODE"] = f"unix:{work}/cuzk.sock"


def cuzk(*words):
    return subprocess.run([f"{bin_dir}/cuzk", *map(str, words)], text=True, capture_output=True, check=False)


def memory_used():
    if not shutil.which("nvidia-smi"):
        return 0
    out = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], text=True,
                         capture_output=True, check=False)
    return int(out.stdout.split()[0]) if out.returncode == 0 else 0


vk = {}
for circuit, _, _ in kinds:
    start = time.time()
    made = cuzk("params", "generate-test", circuit, "--seed", 1, "--dir", work)
    path = re.search(r"^(?:written|kept) +(.*)$", made.stdout, re.M)
    if not path:
        sys.exit(made.stdout + made.stderr)
    vk[circuit] = path[1].removesuffix(".params") + ".vk"
    print(f"key of {circuit}: {time.time() - start:.1f} s", flush=True)

log = open(work / "cuzkd.log", "w", encoding="utf-8")
node = subprocess.Popen([f"{bin_dir}/cuzkd", "--device", device, "--api.socket", f"{work}/cuzk.sock",
                         "--node.state_dir", f"{work}/state", "--params.dir", str(work), "--params.allow_test_keys",
                         "--params.preload", ",".join(k[0] for k in kinds)], stdout=log, stderr=log)
try:
    for _ in range(100):
        if cuzk("status").returncode == 0:
            break
        if node.poll() is not None:
            sys.exit((work / "cuzkd.log").read_text())
        time.sleep(0.1)
    wrong, used = 0, []
    for circuit, name, more in kinds:  # one of each, so that keys are there
        done = cuzk("prove", f"{samples}/{name}", *more, "-o", work / "first.proof")
        wrong += done.returncode != 0
        if done.returncode != 0:
            print(done.stdout + done.stderr)
    used.append(memory_used())
    start = time.time()
    numbers = []
    for i in range(jobs):
        circuit, name, more = kinds[i % len(kinds)]
        out = cuzk("submit", f"{samples}/{name}", *more, "--json")
        found = re.search(r'"job": *(\d+)', out.stdout)
        if not found:
            sys.exit(out.stdout + out.stderr)
        numbers.append(int(found[1]))
    for i, number in enumerate(numbers):
        circuit, name, more = kinds[i % len(kinds)]
        proof = work / f"{number}.proof"
        done = cuzk("await", number, "-o", proof)
        judged = cuzk("verify", f"{samples}/{name}", proof, *more, "--vk", vk[circuit])
        if done.returncode != 0 or judged.returncode != 0:
            print(f"WRONG: job {number} {circuit}", done.stderr, judged.stdout, judged.stderr)
            wrong += 1
    print(f"{jobs} jobs in {time.time() - start:.2f} s from the first submit to the last verdict", flush=True)
    used.append(memory_used())
    print(cuzk("status").stdout)
finally:
    node.terminate()
    node.wait(60)
    log.close()

lines = [dict(re.findall(r"(\w+)=(\S+)", line)) for line in (work / "cuzkd.log").read_text().split("\n")
         if "GPU_TIMING" in line]
by_kind = collections.defaultdict(list)
for line in lines:
    by_kind[line["kind"]].append(line)
names = ["upload", "eval", "ntt", "msm_h", "bits", "tail", "download", "total"]
for kind, rows in by_kind.items():
    shown = " ".join(f"{n} {statistics.median(float(r[n + '_ms']) for r in rows):.2f}" for n in names)
    print(f"{kind}: {len(rows)} proofs on {rows[0]['device']}, median ms: {shown}")
gaps = sorted(float(r["idle_before_ms"]) for r in lines[len(kinds) + 2:])
if gaps:
    print(f"gap before a proof, ms: median {statistics.median(gaps):.2f}, p99 {gaps[int(0.99 * (len(gaps) - 1))]:.2f}")
print(f"memory of the device, MiB: {used[0]} before the {jobs} jobs, {used[-1]} after")
print("node: ok" if wrong == 0 else f"node: {wrong} WRONG")
sys.exit(wrong != 0)
