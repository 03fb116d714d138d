#!/usr/bin/env python3
"""Writes docs/cli.md from the programs' own --help, or says where it differs.

Usage: tools/cli_docs.py BIN_DIR [--check]
"""
import difflib
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "cli.md"
PROGRAMS = ("cuzk", "cuzkd", "cuzk-bench")
HEAD = """# Commands

Every program's own help, written by `tools/cli_docs.py build/bin`; a test compares them. `cuzk` is the client, `cuzkd`
the node, `cuzk-bench` proves and measures in one process without a node.
"""


def help_of(bin_dir, words):
    shown = subprocess.run([str(bin_dir / words[0]), *words[1:], "--help"], check=True, capture_output=True, text=True)
    return "\n".join(line.rstrip() for line in shown.stdout.strip().splitlines())


def without_footer(text):
    """The exit statuses stand once, at the program."""
    return re.sub(r"\n+Exit status: .*\Z", "", text, flags=re.S)


def subcommands(text):
    listed = text.partition("Subcommands:")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z][a-z-]*)", listed, flags=re.M)


def section(bin_dir, words):
    text = help_of(bin_dir, words)
    shown = text if len(words) == 1 else without_footer(text)
    parts = [f"{'#' * min(len(words) + 1, 3)} {' '.join(words)}\n\n```text\n{shown}\n```\n"]
    for name in subcommands(text):
        parts.extend(section(bin_dir, [*words, name]))
    return parts


def main():
    bin_dir = pathlib.Path(sys.argv[1])
    page = "\n".join([HEAD, *(part for program in PROGRAMS for part in section(bin_dir, [program]))])
    if "--check" not in sys.argv:
        PAGE.write_text(page)
        return 0
    diff = list(difflib.unified_diff(PAGE.read_text().splitlines(), page.splitlines(), "docs/cli.md", "--help", "", "", 1))
    print("\n".join(diff) if diff else "docs/cli.md says what the programs say")
    return 1 if diff else 0


if __name__ == "__main__":
    sys.exit(main())
