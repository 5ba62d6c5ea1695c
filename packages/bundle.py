"""What the builds of the npm and the Python package share: the bundle of the programs that they carry.

A bundle is a folder with bin/ (ojin-mock, ojin-client, ojin-conform), lib/ and share/.
"""
import os
import re
import struct
import subprocess

PROGRAMS = ("ojin-mock", "ojin-client", "ojin-conform")
ELF_64_LITTLE = b"\x7fELF\x02\x01"
SECTION_NEEDED_VERSIONS = 0x6FFFFFFE  # SHT_GNU_verneed
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "1700000000"))  # of the files in what is built


class BundleError(Exception):
    pass


class Bundle:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        for program in PROGRAMS:
            if not os.access(os.path.join(self.folder, "bin", program), os.X_OK):
                raise BundleError(f"{folder} is no bundle: there is no program bin/{program} in it")
        self.version = self._version()

    def _version(self):
        program = os.path.join(self.folder, "bin", PROGRAMS[0])
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
        found = re.match(r"\S+ (\d+\.\d+\.\d+)", said)
        if found is None:
            raise BundleError(f"{program} --version: expected a name and a version, got {said!r}")
        return found.group(1)

    def files(self):
        """(name in the bundle, path, is a program) of each file. Packages hold no links, so a link is the file it names."""
        for folder, folders, names in os.walk(self.folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                yield os.path.relpath(path, self.folder), os.path.realpath(path), os.access(path, os.X_OK)

    def glibc(self):
        """The least glibc that all of it runs with, as (2, 36)."""
        needed = [version for _, path, _ in self.files() for version in glibc_versions(path)]
        if not needed:
            raise BundleError(f"{self.folder}: no program in it needs glibc; expected ELF programs")
        return max(needed)


def glibc_versions(path):
    """Those that an ELF file asks for; none of another file. ELF gABI, LSB Core 10.7 (symbol versions)."""
    with open(path, "rb") as file:
        if file.read(len(ELF_64_LITTLE)) != ELF_64_LITTLE:
            return
        file.seek(0)
        data = file.read()
    table, entry_size, count = struct.unpack_from("<40xQ10xHH", data)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + n * entry_size) for n in range(count)]
    for _, kind, _, _, offset, _, link, entries, _, _ in sections:
        if kind == SECTION_NEEDED_VERSIONS:
            yield from _versions_of(data, offset, entries, sections[link][4])


def _versions_of(data, at, entries, strings):
    for _ in range(entries):
        _, names, _, first, following = struct.unpack_from("<HHIII", data, at)
        name_at = at + first
        for _ in range(names):
            _, _, _, name, next_name = struct.unpack_from("<IHHII", data, name_at)
            text = data[strings + name : data.index(b"\0", strings + name)].decode()
            found = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", text)
            if found is not None:
                yield int(found.group(1)), int(found.group(2))
            name_at += next_name
        at += following
