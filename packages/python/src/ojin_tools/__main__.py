"""The programs: `python -m ojin_tools mock --port 7700`, and ojin-mock, ojin-client and ojin-conform as commands."""

import os
import sys
from typing import List, NoReturn

from ojin_tools._home import ProgramMissing, program_path

_COMMANDS = ("mock", "client", "conform")
_NOT_FOUND = 127
_WRONG_USAGE = 2


def _become(name: str, words: List[str]) -> NoReturn:
    try:
        path = program_path(name)
    except ProgramMissing as error:
        print(error, file=sys.stderr)
        sys.exit(_NOT_FOUND)
    os.execv(path, [str(path), *words])


def mock() -> NoReturn:
    _become("ojin-mock", sys.argv[1:])


def client() -> NoReturn:
    _become("ojin-client", sys.argv[1:])


def conform() -> NoReturn:
    _become("ojin-conform", sys.argv[1:])


def main() -> NoReturn:
    if len(sys.argv) < 2 or sys.argv[1] not in _COMMANDS:
        print("usage: python -m ojin_tools {mock,client,conform} [ARGUMENT]...", file=sys.stderr)
        sys.exit(_WRONG_USAGE)
    _become("ojin-" + sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    main()
