#!/usr/bin/env python3
"""House rules read off the source text. Usage: tools/check.py layers|locks|words|format

layers  a room includes only rooms below it, and foreign headers only where they belong
locks   no lock and no blocking wait in the rooms on the GPU path
words   no unfinished work, no [=] capture, no infinite timeout, no path of one machine
format  clang-format 14 would change nothing (skipped with exit status 77 where it is not installed)
Exit status 1 and one line a finding when a rule is broken.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Lowest first. circuits/core lies below filecoin, the circuits of a kind above it.
ORDER = ["runtime/base", "math", "circuits/core", "filecoin", "circuits", "groth16", "cuda", "runtime", "messages",
         "actors", "cluster", "gateway", "tools"]

# Foreign header prefix -> rooms (or single files) that may include it.
FOREIGN = {
    "caf/": {"messages/type_ids.hpp", "messages/local_handles.hpp", "actors", "cluster", "gateway", "tools"},
    "capnp/": {"gateway", "cluster", "tools"},
    "kj/": {"gateway", "cluster", "tools"},
    "cuda": {"cuda"},
    "sqlite3.h": {"runtime"},
    "spdlog/": {"runtime"},
    "toml++/": {"runtime"},
    "toml.hpp": {"runtime"},
    "CLI/": {"tools"},
}
LOCK_ROOMS = ["actors", "cuda", "gateway", "cluster", "messages"]
LOCKS = [
    r"\bmutex\b", r"\block_guard\b", r"\bunique_lock\b", r"\bshared_lock\b", r"\bscoped_lock\b", r"\bcondition_variable",
    r"\b(counting|binary)_semaphore\b", r"#include <(semaphore|latch|barrier|mutex|shared_mutex|condition_variable)>",
    r"\bstd::(latch|barrier)\b", r"\.(wait|notify_one|notify_all)\(", r"\bsleep(_for|_until)?\(", r"\busleep\(",
    r"\bnanosleep\(", r"\bfuture\b.*\.get\(", r"\bcuda(Device|Stream|Event)Synchronize\b", r"\.receive\(",
    r"\bfunction_view\b", r"\bpthread_(mutex|cond|spin)", r"\bspin_?lock\b",
]
WORDS = {
    r"\b(TODO|FIXME|XXX|HACK)\b": "unfinished work",
    r"\bnot implemented\b|\bunimplemented\b": "unfinished work",
    r"\[=\]|\[=,": "a capture of everything by value",
    r"\bcaf::infinite\b": "a request without a time limit",
    r"(?<![\w./-])/(work|root|home)/": "a path of one machine",
}
SOURCES = {".hpp", ".cpp", ".cu", ".cuh"}


def tracked():
    out = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True,
                         capture_output=True, check=False).stdout.split("\n")
    names = [n for n in out if n] or [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]
    return [n for n in names if (ROOT / n).is_file() and not n.startswith("build")]


def room_of(path):
    hits = [r for r in ORDER if path == r or path.startswith(r + "/")]
    return max(hits, key=len) if hits else None


def code_lines(name):
    """Lines without comments and string literals."""
    text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    for number, line in enumerate(text.split("\n"), 1):
        line = re.sub(r'"(\\.|[^"\\])*"', '""', line) if not line.startswith("#include") else line
        yield number, line.split("//")[0]


def layers():
    for name in tracked():
        room = room_of(name)
        if room is None or pathlib.Path(name).suffix not in SOURCES:
            continue
        for number, line in code_lines(name):
            m = re.match(r'#include [<"]([^>"]+)[>"]', line)
            if not m:
                continue
            target = room_of(m[1])
            if target and target != room and ORDER.index(target) > ORDER.index(room):
                yield f"{name}:{number}: {room}/ may not include {m[1]}"
            for prefix, allowed in FOREIGN.items():
                foreign = m[1].startswith(prefix) and target is None
                if foreign and room not in allowed and name not in allowed:
                    yield f"{name}:{number}: <{m[1]}> belongs to {', '.join(sorted(allowed))}"


def locks():
    waits = []
    for name in tracked():
        if name.split("/")[0] not in LOCK_ROOMS or pathlib.Path(name).suffix not in SOURCES:
            continue
        for number, line in code_lines(name):
            for pattern in LOCKS:
                if re.search(pattern, line):
                    if pattern.startswith(r"\.(wait") and name.startswith("gateway/") and ".wait(" in line:
                        waits.append(f"{name}:{number}: {line.strip()}")
                    else:
                        yield f"{name}:{number}: {line.strip()}"
    if len(waits) > 1:
        yield from (f"{w}   (gateway/ has one .wait, the KJ loop's)" for w in waits)


def words():
    for name in tracked():
        path = pathlib.Path(name)
        if name == "tools/check.py" or path.suffix not in SOURCES | {".py", ".sh", ".cmake", ".txt", ".capnp", ".toml", ".mjs"}:
            continue
        if name.startswith("tests/data/"):
            continue
        for number, line in enumerate((ROOT / name).read_text(errors="replace").split("\n"), 1):
            for pattern, why in WORDS.items():
                if re.search(pattern, line):
                    yield f"{name}:{number}: {why}: {line.strip()}"


def clang_format():
    tool = next((t for t in ("clang-format-14", "clang-format") if shutil.which(t)), None)
    version = subprocess.run([tool, "--version"], text=True, capture_output=True, check=False).stdout if tool else ""
    if " 14." not in version:
        print("clang-format 14 is not installed: skipped")
        sys.exit(77)
    files = [n for n in tracked() if pathlib.Path(n).suffix in SOURCES and not n.startswith("tests/data/")]
    out = subprocess.run([tool, "--dry-run", *files], cwd=ROOT, text=True, capture_output=True, check=False).stderr
    yield from sorted({m[1] + ": not formatted" for m in re.finditer(r"^(\S+?):\d+:\d+: warning: code should be", out, re.M)})


CHECKS = {"layers": layers, "locks": locks, "words": words, "format": clang_format}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in CHECKS:
        print(__doc__)
        return 2
    found = list(CHECKS[sys.argv[1]]())
    print("\n".join(found) or f"{sys.argv[1]} ok")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
