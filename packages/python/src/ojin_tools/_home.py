"""Where the programs are: the bundle, a folder with bin/, lib/ and share/."""

import os
from pathlib import Path
from typing import Optional, Union

HOME_VARIABLE = "OJIN_TOOLS_HOME"
_OWN_BUNDLE = Path(__file__).parent / "bundle"


class ProgramMissing(Exception):
    """A program of the bundle is not there, or cannot be run."""


def bundle_home(home: Optional[Union[str, Path]] = None) -> Path:
    """The folder of the bundle: `home`, else OJIN_TOOLS_HOME, else the one that this package carries."""
    return Path(home or os.environ.get(HOME_VARIABLE) or _OWN_BUNDLE)


def program_path(name: str, home: Optional[Union[str, Path]] = None) -> Path:
    """The path of ojin-mock, ojin-client or ojin-conform. Raises ProgramMissing."""
    path = bundle_home(home) / "bin" / name
    if not path.exists():
        raise ProgramMissing(
            f"ojin-tools: the program {name} is missing: there is no {path}. "
            f"{HOME_VARIABLE} or the option home names the folder that has it in bin/"
        )
    if not os.access(path, os.X_OK):
        raise ProgramMissing(f"ojin-tools: the program {name} cannot be run: {path} is not executable (chmod +x)")
    return path
