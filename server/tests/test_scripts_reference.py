"""server/SCRIPTS.md is what the parser's tables and the text around them give."""
import difflib
import os
import subprocess
import sys

SOURCE = os.environ["SOURCE_DIR"]


def main():
    made = subprocess.run(
        [sys.argv[1], os.path.join(SOURCE, "server/SCRIPTS.md.in")], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    with open(os.path.join(SOURCE, "server/SCRIPTS.md"), encoding="utf-8") as file:
        committed = file.read().splitlines()
    assert len(made) > 100, "the reference is all but empty"
    difference = list(difflib.unified_diff(committed, made, "server/SCRIPTS.md", "the parser's tables", lineterm=""))
    if difference:
        print("\n".join(difference[:60]))
        print("server/SCRIPTS.md differs from the parser's tables: build the target scripts-reference")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
