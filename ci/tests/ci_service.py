"""Runs the steps of the examples in ci/examples/ as the services would: in bash, with the variables that those set.

Of GitHub Actions it knows what the examples use: steps with `run` and `uses`, the expressions ${{ inputs.X }}, ${{ matrix.X }} and ${{ github.X }},
`if: always()`, `needs` and `continue-on-error`. What a step fetches with curl from the project's releases is the bundle of this build.
"""
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import yaml

STEP_S = 300
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = re.search(r"project\(\S+ VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
ACTION = f"OWNER/REPOSITORY/ci/examples/github@v{VERSION}"
CURL = f"""#!/bin/sh
# Before the machine's own curl: a release is that of this build.
out=/dev/stdout found=false
for word in "$@"; do
    case $word in
    https://*/v{VERSION}/ojin-tools-{VERSION}-linux-x86_64.tar.gz) found=true ;;
    esac
done
[ "$found" = true ] || exec "$CURL_OF_THIS_MACHINE" "$@"
while [ $# -gt 0 ]; do
    case $1 in
    --output) out=$2; shift ;;
    esac
    shift
done
cat "$BUNDLE_OF_THIS_BUILD" >"$out"
"""


class Outcome:
    """Of a job or a step: whether it passed, and what it wrote."""

    def __init__(self, passed, text):
        self.passed, self.text = passed, text


def filled_in(value, values):
    def known(match):
        kind, name = match.group(1).split(".")
        return str(values[kind][name])

    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", known, value)


class Service:
    """A runner with a checkout in `workspace`."""

    def __init__(self, folder, workspace, bundle):
        self.folder, self.workspace = folder, workspace
        tools = folder / "tools"
        tools.mkdir(parents=True)
        (tools / "curl").write_text(CURL)
        (tools / "curl").chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OJIN_", "GITHUB_", "CI_"))}
        self.variables = {**kept, "PATH": f"{tools}:{os.environ['PATH']}", "CI": "true", "BUNDLE_OF_THIS_BUILD": str(bundle),
                          "CURL_OF_THIS_MACHINE": shutil.which("curl") or "no-curl-on-this-machine"}

    def shell(self, script, variables=None, folder=None):
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder or self.workspace, env={**self.variables, **(variables or {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=STEP_S, check=False,
        )
        return Outcome(done.returncode == 0, done.stdout)


class GitHub(Service):
    def __init__(self, folder, workspace, bundle):
        super().__init__(folder, workspace, bundle)
        self.artifacts = folder / "artifacts"
        self.summary = folder / "summary.md"
        self.path = folder / "path"
        temp = folder / "temp"
        temp.mkdir()
        for file in (self.summary, self.path):
            file.touch()
        self.values = {"github": {"server_url": "https://github.com", "action_repository": "OWNER/REPOSITORY", "action_ref": f"v{VERSION}"}}
        self.variables |= {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(workspace), "RUNNER_TEMP": str(temp),
                           "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_PATH": str(self.path)}

    def run_script(self, step, values):
        variables = {name: filled_in(value, values) for name, value in step.get("env", {}).items()}
        done = self.shell(filled_in(step["run"], values), variables)
        added = self.path.read_text().split()
        self.path.write_text("")
        self.variables["PATH"] = ":".join([*reversed(added), self.variables["PATH"]])
        return done

    def use(self, step, values):
        given = {name: filled_in(str(value), values) for name, value in step.get("with", {}).items()}
        what = step["uses"]
        if what == ACTION:
            return self.run_action(pathlib.Path(__file__).parent.parent / "examples/github/action.yml", given)
        if what == "actions/upload-artifact@v4":
            target = self.artifacts / given["name"]
            target.mkdir(parents=True)
            found = list(self.workspace.glob(given["path"]))
            for path in found:
                if path.is_dir():
                    shutil.copytree(path, target, dirs_exist_ok=True)
                    shutil.rmtree(path)
                else:
                    shutil.copy(path, target)
            return Outcome(bool(found), f"{given['path']}: nothing there\n" * (not found))
        if what == "actions/download-artifact@v4":
            shutil.copytree(self.artifacts, self.workspace, dirs_exist_ok=True)
        elif what != "actions/checkout@v4":
            raise ValueError(f"uses: {what}: no such action here")
        return Outcome(True, "")

    def run_steps(self, steps, values):
        passed, text = True, ""
        for step in steps:
            if not passed and step.get("if") != "always()":
                continue
            done = self.use(step, values) if "uses" in step else self.run_script(step, values)
            passed, text = passed and done.passed, text + done.text
        return Outcome(passed, text)

    def run_action(self, file, given):
        action = yaml.safe_load(file.read_text())
        unknown = given.keys() - action["inputs"].keys()
        if unknown:
            raise ValueError(f"{file}: no input {', '.join(sorted(unknown))}")
        inputs = {name: given.get(name, told.get("default")) for name, told in action["inputs"].items()}
        missing = [name for name, value in inputs.items() if value is None]
        if missing:
            raise ValueError(f"{file}: {', '.join(missing)}: not given")
        return self.run_steps(action["runs"]["steps"], {**self.values, "inputs": inputs})

    def run_workflow(self, file):
        """The outcome of each job, in the order of the file, which is that of their needs."""
        outcomes = {}
        for name, job in yaml.safe_load(file.read_text())["jobs"].items():
            matrix = job.get("strategy", {}).get("matrix", {})
            rows = [{key: value} for key, row in matrix.items() for value in row] or [{}]
            done = [self.run_steps(job["steps"], {**self.values, "matrix": row}) for row in rows]
            passed = all(one.passed for one in done) or job.get("continue-on-error", False)
            outcomes[name] = Outcome(passed, "".join(one.text for one in done))
        return outcomes


class GitLab(Service):
    """Of .gitlab-ci.yml it knows what the examples use: `stages`, `extends`, `parallel: N` and `allow_failure`. A job begins with the
    files of the repository and the artefacts of the jobs before it."""

    def __init__(self, folder, workspace, bundle):
        super().__init__(folder, workspace, bundle)
        self.artifacts = folder / "artifacts"
        self.artifacts.mkdir()

    def run_job(self, job, variables):
        place = pathlib.Path(tempfile.mkdtemp(prefix="job-", dir=self.folder))
        for files in (self.workspace, self.artifacts):
            shutil.copytree(files, place, dirs_exist_ok=True)
        set_here = {**job.get("variables", {}), "GITLAB_CI": "true", "CI_PROJECT_DIR": str(place), **variables}
        done = self.shell("\n".join([*job.get("before_script", []), *job["script"]]), set_here, place)
        kept = job.get("artifacts", {})
        patterns = [*kept.get("paths", []), *kept.get("reports", {}).values()]
        return done, [path for pattern in patterns for path in place.glob(pattern)]

    def keep(self, path):
        if path.is_dir():
            shutil.copytree(path, self.artifacts / path.name, dirs_exist_ok=True)
        else:
            shutil.copy(path, self.artifacts)

    def run_pipeline(self, file):
        """The outcome of each job, stage by stage. A job that fails, and may not, ends the pipeline."""
        told = yaml.safe_load(file.read_text())
        stages = told.pop("stages", ["test"])
        jobs = {name: {**told.get(job.get("extends"), {}), **job} for name, job in told.items() if not name.startswith(".")}
        outcomes = {}
        for name in sorted(jobs, key=lambda name: stages.index(jobs[name].get("stage", "test"))):
            count = jobs[name].get("parallel", 1)
            nodes = [{"CI_NODE_INDEX": str(n + 1), "CI_NODE_TOTAL": str(count)} for n in range(count)]
            with concurrent.futures.ThreadPoolExecutor(count) as runners:
                ended = list(runners.map(functools.partial(self.run_job, jobs[name]), nodes))
            for path in [path for _, kept in ended for path in kept]:
                self.keep(path)
            done = [one for one, _ in ended]
            passed = all(one.passed for one in done) or jobs[name].get("allow_failure", False)
            outcomes[name] = Outcome(passed, "".join(one.text for one in done))
            if not passed:
                break
        return outcomes
