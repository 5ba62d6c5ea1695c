#!/usr/bin/python3
"""The YAML of ci/examples follows the published schemas, as npm packages carry them; a key or a value that is wrong is refused."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
EXAMPLES = SOURCE / "ci/examples"
TOOL = "ci/tests/schemas"
RUN_S = 300
FILES = {
    "workflow": ("github/workflow.yml", "github/workflow-shards.yml"),
    "action": ("github/action.yml",),
    "gitlab": ("gitlab/gitlab-ci.yml", "gitlab/gitlab-ci-shards.yml"),
    "compose": ("docker/compose.yml",),
    "kubernetes": ("scale/kubernetes.yaml",),
}
# A file, what is put in place of what, and what is said of it.
WRONG = {
    "workflow": (
        ("github/workflow.yml", "runs-on:", "run-on:", "Unexpected value 'run-on'"),
        ("github/workflow-shards.yml", "needs: shard", "needs: shards", "depends on unknown job 'shards'"),
        ("github/workflow-shards.yml", "matrix.shard", "matrices.shard", "Unrecognized named-value: 'matrices'"),
    ),
    "action": (
        ("github/action.yml", "using: composite", "using: composit", "Unexpected value 'composit'"),
        ("github/action.yml", "shell: bash", "shel: bash", "Required property is missing: shell"),
    ),
    "gitlab": (
        ("gitlab/gitlab-ci.yml", "artifacts:", "artefacts:", "/conformance: must NOT have additional properties artefacts"),
        ("gitlab/gitlab-ci.yml", "when: always", "when: sometimes", "/conformance/artifacts/when: must be equal to one of"),
        ("gitlab/gitlab-ci-shards.yml", "parallel: 2", "parallel: 0", "/shard/parallel: must be >= 1"),
    ),
    "compose": (
        ("docker/compose.yml", "working_dir:", "workdir:", "/services/tests: must NOT have additional properties workdir"),
        ("docker/compose.yml", "service_healthy", "healthy", "/services/tests/depends_on/mock/condition: must be equal to one of"),
    ),
    "kubernetes": (
        ("scale/kubernetes.yaml", "periodSeconds:", "periodSecs:", "readinessProbe: must NOT have additional properties periodSecs"),
        ("scale/kubernetes.yaml", "replicas: 2", "replicas: two", "/spec/replicas: must be integer"),
        ("scale/kubernetes.yaml", "512Mi", "lots", '/resources/requests/memory: must match format "quantity"'),
        ("scale/kubernetes.yaml", "kind: Service", "kind: Servise", "no schema here for v1 Servise"),
    ),
}


@unittest.skipUnless(shutil.which("npm"), "no npm, which installs the schemas")
class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([SOURCE / "ci/npm.sh", TOOL], check=True, timeout=RUN_S)

    def check(self, kind, files):
        done = subprocess.run(
            ["node", SOURCE / TOOL / "check.mjs", kind, *files],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=RUN_S, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def test_every_example_is_held_against_a_schema(self):
        found = {str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.y*ml")}
        self.assertEqual(found, {file for files in FILES.values() for file in files})

    def test_the_examples_are_right(self):
        for kind, files in FILES.items():
            with self.subTest(kind):
                self.assertEqual(self.check(kind, [EXAMPLES / file for file in files]), (0, ""))

    def test_what_is_wrong_is_refused(self):
        for kind, rows in WRONG.items():
            with self.subTest(kind), tempfile.TemporaryDirectory(prefix="schemas-") as folder:
                files = [pathlib.Path(folder, f"{n}.yml") for n in range(len(rows))]
                for file, (name, right, wrong, _) in zip(files, rows):
                    text = (EXAMPLES / name).read_text()
                    self.assertIn(right, text)
                    file.write_text(text.replace(right, wrong, 1))
                status, said = self.check(kind, files)
                self.assertEqual(status, 1, said)
                for file, (_, _, wrong, fault) in zip(files, rows):
                    faults = [line for line in said.splitlines() if line.startswith(f"{file}: ") and fault in line]
                    self.assertTrue(faults, f"{wrong}: nothing says {fault!r}\n{said}")


if __name__ == "__main__":
    unittest.main()
