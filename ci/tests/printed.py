"""What the pages print for readers to type or to copy, and the test that runs it.

Each test takes what it runs from here, with `of("its name")`, and runs all that it gets: so a command that is added to a page is run as the others
of its page, or fails that test. One that no row of RUN_BY gives to a test fails `test_printed_commands`.
"""
import fnmatch
import os
import pathlib
import re
import typing

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
OURS = r"ojin-(?:mock|client|conform)"
# Programs with which a piece of code in a sentence is a command, when an argument follows.
PROGRAMS = re.compile(rf"(?:\S*/)?{OURS} |(?:ci/[\w.]+|npm|npx|pip|apt|tar|docker|cmake|ctest|curl|export|python3?|node|cc|git|cp|socat|haproxy) ")


class Printed(typing.NamedTuple):
    page: str
    kind: str  # typed: a line of its own; said: in a sentence; code: a block of a language
    text: str


# Page, kind, and text in full, as patterns: the first row that fits says which test runs it; None: it is nothing to run.
RUN_BY = (
    # A synopsis, or the name of a command or an option of it; messages, diagrams and forms.
    ("*", "said", rf".*[\[…].*|{OURS} (?:--)?[a-z-]+|npm (?:ci|install|test)|pip install|cmake --install", None),
    ("ci/README.md", "said", r"ci/(?:fuzz SECONDS|soak MINUTES)", None),
    ("CONTRIBUTING.md", "said", r"(?:cmake|git|python3-).* \S*(?:dev|perl|check)\b.*", None),  # packages of Debian
    ("conformance/*.md", "typed", r"\{.*|check NAME .*|CMD (?:CONDITION|restore) .*", None),
    ("docs/develop-offline.md", "typed", r"\|.*|client +server", None),
    ("server/SCRIPTS.md", "typed", r"late\.session:.*", None),
    # ci/test is what CI itself runs, by .ci/run.
    ("*", "*", r"ci/test(?: --all)?", ".ci/run"),
    ("*", "*", r"ci/try(?: .*)?", "test_try"),
    ("*", "*", r"apt install .*|tar -xf .*|ojin-tools-.*|docker .*|cp ojin-tools.*|cp build/package/.*|cp my-client.mjs .*", "test_package"),
    ("conformance/ADAPTERS.md", "typed", r"export TREE=.*|mkdir /tmp/my-client .*", "test_package"),
    ("*", "said", r"export PATH=\$PWD/bin:\$PATH", "test_package"),
    ("*", "said", r"cmake --install build/release(?: --prefix PREFIX)?", "test_install"),
    ("conformance/ADAPTERS.md", "typed", r".*", "test_adapters"),
    ("conformance/FUZZING.md", "code", r".*", "test_fuzzing_guide"),
    ("conformance/clients/browser/README.md", "typed", r".*", "test_browser_client"),
    ("conformance/server-cases/README.md", "code", r"#!/bin/sh.*", "test_printed_commands"),
    ("conformance/suites/README.md", "typed", r".*", "test_runner_lists"),
    ("server/CONTROL.md", "typed", r".*", "test_reference"),
    # Pieces of scripts, which that test puts together with what the parser knows.
    ("*SCRIPTS.md", "code", r".*", "test_script_files"),
    ("ci/examples/scale/README.md", "typed", r".*", "test_printed_commands"),
    ("packages/c/README.md", "*", r"export PKG.*|cc .*|(?:char|struct) .*", "test_libojin"),
    ("README.md", "said", r"npm install .*|npx .*", "test_npm_package"),
    ("packages/node/README.md", "*", r".*", "test_npm_package"),
    ("README.md", "said", r"pip install .*", "test_python_package"),
    ("packages/python/README.md", "*", r".*", "test_python_package"),
    ("*", "said", r"python3 fixtures/vectors/make_vectors.py", "test_printed_commands"),
    ("docs/test-my-client.md", "typed", r"- uses: .*|with:|command: .*|baseline: .*", "test_printed_commands"),
    ("*", "typed", rf"(?:\S*/)?{OURS}(?: .*)?|curl .*|python3 fixtures/.*", "test_printed_commands"),
    ("*", "said", rf"(?:\S*/)?{OURS} .*|ci/build.sh PRESET|ctest --preset PRESET|export PATH=\$PWD/build/release/bin:\$PATH", "test_printed_commands"),
)


def pages():
    """Every Markdown page, and the examples, whose heads tell how to use them."""
    for folder, names, files in os.walk(SOURCE):
        names[:] = sorted(name for name in names if name not in ("build", "node_modules", "conform-out") and not name.startswith("."))
        here = pathlib.Path(folder).relative_to(SOURCE)
        for name in sorted(files):
            if name.endswith(".md") or (here.parts[:2] == ("ci", "examples") and (name == "Dockerfile" or name.endswith((".yml", ".yaml", ".cfg")))):
                yield str(here / name)


def typed(lines):
    """The commands of these lines: without prompt and remark, with the lines that a backslash continues."""
    lines = iter(lines)
    for line in lines:
        while line.endswith("\\"):
            line = line[:-1] + next(lines).strip()
        yield re.sub(r"\s{2,}#.*", "", line.strip().removeprefix("$ "))


def of_page(page):
    """What the page prints, in its order: blocks first, then lines, then what stands in sentences."""
    text = (SOURCE / page).read_text(encoding="utf-8")
    if not page.endswith(".md"):
        return [Printed(page, "typed", line) for line in typed(re.findall(r"(?m)^# {5}(.*)$", text))]
    found = []
    for language, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", text):
        if language == "sh" and not block.startswith("#!"):
            found += [Printed(page, "typed", line) for line in typed(block.splitlines())]
        else:
            found.append(Printed(page, "code", block))
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    found += [Printed(page, "typed", line) for line in typed(re.findall(r"(?m)^    +(\S.*)$", text))]
    spans = re.findall(r"`([^`]+)`", re.sub(r"(?m)^    .*$", "", text))
    return found + [Printed(page, "said", " ".join(span.split())) for span in spans if PROGRAMS.match(span)]


def row_of(printed):
    """The index of the row of RUN_BY; None: there is none."""
    for number, (page, kind, text, _) in enumerate(RUN_BY):
        if fnmatch.fnmatch(printed.page, page) and kind in ("*", printed.kind) and re.fullmatch(text, printed.text, re.DOTALL):
            return number
    return None


def everything():
    return [printed for page in pages() for printed in of_page(page)]


def of(test, page="*", kind="*"):
    """The texts that this test has to run, each once."""
    rows = {number for number, row in enumerate(RUN_BY) if row[3] == test}
    return list(dict.fromkeys(printed.text for printed in everything() if row_of(printed) in rows and fnmatch.fnmatch(printed.page, page)
                              and kind in ("*", printed.kind)))
