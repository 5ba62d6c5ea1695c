"""Runs the steps of a Dockerfile without Docker and without network: in a folder that is the image's root, by chroot.

Called as a program it stands in for `docker`, so that lines can be typed as pages print them: `build --tag NAME CONTEXT` and
`run --rm --publish HOST:PORT:PORT NAME [WORD…]`, with images in the folder $DOCKER_IMAGES; anything else is an error. It shows that the lines,
the Dockerfile and what is in it fit together, not that Docker itself takes them. Containers have the network of the machine: what listens on the
published port inside is told, by --port, to listen on that of the host.

What stands in for the base image is made from packages that every Debian has, as this machine has them: a C library, two
shells and the core utilities. Of the instructions it knows those of ci/examples/docker/Dockerfile; any other is an error.
It takes root, and the right to mount.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile

STEP_S = 120
BASE = "debian:12-slim"
PACKAGES = ("base-files", "libc6", "bash", "libtinfo6", "dash", "coreutils", "libacl1", "libattr1", "libgmp10", "libselinux1", "libpcre2-8-0")
MERGED = ("bin", "sbin", "lib", "lib64")
# What Docker gives a process beside the image's own variables.
VARIABLES = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/"}
INSIDE = ('mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 user=$2 && shift 2 &&'
          ' exec chroot --userspec="$user" "$root" "$@"')


def bare_root(root):
    """A Debian as small as can be, in the new folder `root`."""
    for name in MERGED:
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")
    for name in ("proc", "dev", "etc", "opt", "tmp", "usr/local/bin"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "tmp").chmod(0o1777)
    listed = subprocess.run(["dpkg", "-L", *PACKAGES], capture_output=True, text=True, timeout=STEP_S, check=True).stdout
    for line in listed.splitlines():
        path = pathlib.Path(line)
        if not re.match(r"/(usr/)?(s?bin|lib|lib64)/", line) or "/gconv/" in line or (path.is_dir() and not path.is_symlink()):
            continue
        target = root / line.removeprefix("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() and not target.is_symlink():
            shutil.copy2(path, target, follow_symlinks=False)


def instructions(text):
    """(NAME, its words as they stand) in their order."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        name, _, rest = line.partition(" ")
        yield name, rest.strip()


class Image:
    """Built in the new folder `root` from the Dockerfile in the folder `context`. ValueError: a step cannot be run, or failed."""

    def __init__(self, root, context):
        self.root, self.context = root, context
        self.user, self.variables, self.entrypoint, self.healthcheck = "0:0", dict(VARIABLES), None, None
        self.ports, self.said = [], ""
        for name, rest in instructions((context / "Dockerfile").read_text()):
            step = getattr(self, f"do_{name.lower()}", None)
            if step is None:
                raise ValueError(f"Dockerfile: {name}: no such instruction here")
            step(rest)

    def inside(self, *words, **variables):
        """The words that run a command in the image, and their environment."""
        return (["unshare", "--mount", "--", "/bin/sh", "-c", INSIDE, "inside", str(self.root), self.user, *words],
                {**self.variables, **variables})

    def run(self, *words, **variables):
        command, environment = self.inside(*words, **variables)
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=STEP_S, check=False)

    def do_from(self, rest):
        if rest != BASE:
            raise ValueError(f"Dockerfile: FROM {rest}: expected {BASE}")
        bare_root(self.root)

    def put(self, rest, unpack):
        *patterns, target = shlex.split(rest)
        folder = self.root / target.removeprefix("/")
        for pattern in patterns:
            found = sorted(self.context.glob(pattern))
            if not found:
                raise ValueError(f"Dockerfile: {pattern}: not in the context")
            for path in found:
                if unpack and path.name.endswith(".tar.gz"):
                    with tarfile.open(path) as archive:
                        archive.extractall(folder)
                else:
                    shutil.copy(path, folder)

    def do_add(self, rest):
        self.put(rest, unpack=True)

    def do_copy(self, rest):
        self.put(rest, unpack=False)

    def do_run(self, rest):
        done = self.run("/bin/sh", "-c", rest)
        if done.returncode != 0:
            raise ValueError(f"Dockerfile: RUN {rest}: exit {done.returncode}\n{done.stdout}")
        self.said += done.stdout

    def do_user(self, rest):
        self.user = rest

    def do_env(self, rest):
        self.variables |= dict(word.split("=", 1) for word in shlex.split(rest))

    def do_expose(self, rest):
        self.ports += [int(word) for word in rest.split()]

    def do_healthcheck(self, rest):
        self.healthcheck = json.loads(rest.split(" CMD ", 1)[1])

    def do_entrypoint(self, rest):
        self.entrypoint = json.loads(rest)


def why_not():
    """Why no image can be built here; None: it can."""
    for program in ("dpkg", "unshare", "chroot"):
        if shutil.which(program) is None:
            return f"no {program}"
    if os.geteuid() != 0:
        return "not root, which chroot takes"
    tried = subprocess.run(["unshare", "--mount", "--", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True,
                           timeout=STEP_S, check=False)
    return tried.stderr.strip() or None


def main(words):
    images = pathlib.Path(os.environ["DOCKER_IMAGES"])
    if words[:2] == ["build", "--tag"] and len(words) == 4:
        image = Image(images / words[2], pathlib.Path(words[3]))
        (images / f"{words[2]}.json").write_text(json.dumps({name: value for name, value in vars(image).items() if name not in ("root", "context")}))
    elif words[:3] == ["run", "--rm", "--publish"] and len(words) >= 5:
        image = Image.__new__(Image)
        image.root = images / words[4]
        vars(image).update(json.loads((images / f"{words[4]}.json").read_text()))
        _, host, port = words[3].split(":")
        if int(port) not in image.ports:
            sys.exit(f"docker: nothing listens on port {port} of {words[4]}")
        command, environment = image.inside(*image.entrypoint, "--port", host, *words[5:])
        os.execvpe(command[0], command, environment)
    else:
        sys.exit(f"docker: {shlex.join(words)}: not known here")


if __name__ == "__main__":
    main(sys.argv[1:])
