"""The bundle that the packages' tests build from: what `cmake --install` makes of this build tree.

BIN_DIR names the folder of the programs.
"""
import os
import shutil
import subprocess

INSTALL_S = 300


def make_bundle(folder):
    programs = os.environ["BIN_DIR"]
    done = subprocess.run(
        ["cmake", "--install", os.path.dirname(programs), "--prefix", folder],
        capture_output=True, text=True, timeout=INSTALL_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
