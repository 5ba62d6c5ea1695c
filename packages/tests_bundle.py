"""The bundle that the packages' tests build from: what `cmake --install` makes of this build tree.

BIN_DIR names the folder of the programs.
"""
import os
import shutil
import subprocess

PROGRAMS = ("ojin-mock", "ojin-client", "ojin-conform")
INSTALL_S = 300


def make_bundle(folder):
    programs = os.environ["BIN_DIR"]
    done = subprocess.run(
        ["cmake", "--install", os.path.dirname(programs), "--prefix", folder],
        capture_output=True, text=True, timeout=INSTALL_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for program in PROGRAMS:
        installed = os.path.join(folder, "bin", program)
        if not os.path.exists(installed):
            shutil.copy2(os.path.join(programs, program), installed)
    return folder
