"""Each SCRIPTS.md is what the parser's tables and the text around them give."""
import difflib
import os
import subprocess
import sys

SOURCE = os.environ["SOURCE_DIR"]


def differs(name):
    made = subprocess.run(
        [sys.argv[1], os.path.join(SOURCE, f"{name}.in")], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        committed = file.read().splitlines()
    assert len(made) > 60, "the reference is all but empty"
    difference = list(difflib.unified_diff(committed, made, name, "the parser's tables", lineterm=""))
    if difference:
        print("\n".join(difference[:60]))
        print(f"{name} differs from the parser's tables: build the target scripts-reference")
    return bool(difference)


def main():
    return 1 if any([differs("server/SCRIPTS.md"), differs("conformance/SCRIPTS.md")]) else 0


if __name__ == "__main__":
    sys.exit(main())
