"""What the pages print for readers to type or to copy, and the test that runs it.

Each test takes what it runs from here, with `of("its name")`, and runs all that it gets: so a command that is added to a page is run as the others
of its page, or fails that test. One that no row of RUN_BY gives to a test fails `test_printed_commands`.
"""
import fnmatch
import functools
import os
import pathlib
import re
import typing

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
OURS = r"ojin-(?:mock|client|conform)"
# A piece of code in a sentence is a command when it begins with one of these, or with a program of the tree, and an argument follows; when it has
# an option; and when it names what is not in ci/, or a script there.
PROGRAMS = re.compile(rf"(?:\S*/)?{OURS}|npm|npx|pip|apt|tar|docker|cmake|ctest|curl|export|python3?|node|cc|git|cp|socat|haproxy|kubectl|debootstrap|mkdir|ln")
WITH_OPTION = re.compile(r"[a-z][\w./-]* (?:.* )?--?[a-z].*")


class Printed(typing.NamedTuple):
    page: str
    kind: str  # typed: a line of its own; said: in a sentence; code: a block of a language
    text: str


# Page, kind, and text in full, as patterns: the first row that fits says which test runs it, or, in words, why none does. `short_forms` are
# not run: what they name is held against what the program says of itself.
RUN_BY = (
    ("*", "said", rf".*[\[…].*|{OURS} (?:--)?[a-z-]+|(?:run|selftest) --[a-z-]+", "short_forms"),
    ("*", "said", r"npm (?:ci|install|test)|pip install|cmake --install", "the name of another program's command"),
    ("CONTRIBUTING.md", "said", r"(?:cmake|git|python3-).* \S*(?:dev|perl|check)\b.*|clang clang-format .*", "packages of Debian"),
    # The test `soak` is this script's program for 20 seconds, and every fuzzer's corpus is replayed by a test of its name.
    ("ci/*", "said", r"ci/(?:fuzz SECONDS|soak MINUTES)", "short_forms"),
    ("ci/try_package", "said", r"debootstrap .*", "fetches a whole Debian, as root; tried by hand"),
    ("ci/examples/scale/kubernetes.yaml", "typed", r"kubectl apply .*", "needs a cluster; test_schemas holds the file against Kubernetes' schema"),
    ("conformance/*.md", "typed", r"\{.*|check NAME .*|CMD (?:CONDITION|restore) .*", "messages and forms, no command"),
    ("docs/develop-offline.md", "typed", r"\|.*|client +server", "a diagram"),
    ("server/SCRIPTS.md", "typed", r"late\.session:.*", "a message, no command"),
    # ci/test is what CI itself runs, by .ci/run.
    ("*", "*", r"ci/test(?: --all)?", ".ci/run"),
    ("*", "*", r"ci/try(?: .*)?", "test_try"),
    ("*", "*", r"apt install .*|tar -xf .*|ojin-tools-.*|docker .*|kubectl .*|ci/package|cp ojin-tools.*|cp build/package/.*|cp my-client.mjs .*", "test_package"),
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
    ("ci/package.d/README.txt", "typed", r"mkdir .*", "test_printed_commands"),
    ("*", "typed", rf"(?:[A-Z_]+=\S+ )?(?:\S*/)?{OURS}(?: .*)?|curl .*|python3 fixtures/.*", "test_printed_commands"),
    ("*", "said", rf"(?:\S*/)?{OURS} .*|ci/build.sh PRESET|ctest --.*|export PATH=\$PWD/build/release/bin:\$PATH", "test_printed_commands"),
    ("*", "said", r"conformance/provoke-mock --help|grep -rl .*|sort -n -k 2", "test_printed_commands"),
    ("*", "said", r"ci/[\w.]+(?: .*)?", "short_forms"),
)


def is_script(path):
    return path.is_file() and os.access(path, os.X_OK)


def pages():
    """Every Markdown page, the page of the tarball, what man pages have beside the help, and the examples and the scripts of ci/, whose heads tell how
    to use them."""
    for folder, names, files in os.walk(SOURCE):
        names[:] = sorted(name for name in names if name not in ("build", "node_modules", "conform-out") and not name.startswith("."))
        here = pathlib.Path(folder).relative_to(SOURCE)
        for name in sorted(files):
            is_example = here.parts[:2] == ("ci", "examples") and (name == "Dockerfile" or name.endswith((".yml", ".yaml", ".cfg")))
            if name.endswith((".md", ".more.1")) or is_example or here / name == pathlib.Path("ci/package.d/README.txt") or (
                    str(here) == "ci" and is_script(SOURCE / here / name)):
                yield str(here / name)


def typed(lines):
    """The commands of these lines: without prompt and remark, with the lines that a backslash continues."""
    lines = iter(lines)
    for line in lines:
        while line.endswith("\\"):
            line = line[:-1] + next(lines).strip()
        yield re.sub(r"\s{2,}#.*", "", line.strip().removeprefix("$ "))


def is_command(span):
    word, _, rest = span.partition(" ")
    if re.fullmatch(r"ci/[\w.-]+", word):
        return bool(rest) or not (SOURCE / word).exists() or is_script(SOURCE / word)
    return bool(rest) and bool(PROGRAMS.fullmatch(word) or ("/" in word and is_script(SOURCE / word)) or WITH_OPTION.fullmatch(span))


def said(page, text):
    spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text))
    return [Printed(page, "said", span) for span in spans if is_command(span)]


def of_head(page, text):
    """Of an example, or of a script, whose head tells its forms, and what has to come before."""
    if not page.startswith("ci/examples/"):
        head = re.match(r'#!.*\n(?:"""(?:.|\n)*?"""|(?:#.*\n)+)', text)[0]
        forms = (re.sub(r"\s{2,}.*", "", line) for line in re.findall(r"(?m)^(?:# )?  (\S.*)$", head))
        return [Printed(page, "said", form) for form in forms if is_command(form)] + said(page, re.sub(r"(?m)^#", "", head))
    head = "\n".join(line for line in text.splitlines() if line.startswith("#"))
    return [Printed(page, "typed", line) for line in typed(re.findall(r"(?m)^# {5}(.*)$", head))] + said(page, re.sub(r"(?m)^#", "", head))


def of_manual(page, text):
    """The examples: lines in bold, or as they are."""
    lines = re.findall(r"(?m)^(?:\.B )?((?![.]).+)$", text.partition(".SH EXAMPLES\n")[2].partition("\n.SH ")[0])
    return [Printed(page, "typed", line) for line in (line.replace("\\-", "-") for line in lines) if re.match(rf"(?:[A-Z_]+=\S+ )?{OURS} ", line)]


def of_page(page):
    """What the page prints, in its order: blocks first, then lines, then what stands in sentences."""
    text = (SOURCE / page).read_text(encoding="utf-8")
    if page.endswith(".more.1"):
        return of_manual(page, text)
    if page.endswith(".txt"):
        return [Printed(page, "typed", re.sub(r"\s{2,}.*", "", line)) for line in re.findall(r"(?m)^    (\S.*)$", text)]
    if not page.endswith(".md"):
        return of_head(page, text)
    found = []
    for language, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", text):
        if language == "sh" and not block.startswith("#!"):
            found += [Printed(page, "typed", line) for line in typed(block.splitlines())]
        else:
            found.append(Printed(page, "code", block))
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    found += [Printed(page, "typed", line) for line in typed(re.findall(r"(?m)^    +(\S.*)$", text))]
    return found + said(page, re.sub(r"(?m)^    .*$", "", text))


@functools.cache
def row_of(printed):
    """The index of the row of RUN_BY; None: there is none."""
    for number, (page, kind, text, _) in enumerate(RUN_BY):
        if fnmatch.fnmatch(printed.page, page) and kind in ("*", printed.kind) and re.fullmatch(text, printed.text, re.DOTALL):
            return number
    return None


@functools.cache
def everything():
    return tuple(printed for page in pages() for printed in of_page(page))


def of(test, page="*", kind="*"):
    """The texts that this test has to run, each once."""
    rows = {number for number, row in enumerate(RUN_BY) if row[3] == test}
    return list(dict.fromkeys(printed.text for printed in everything() if row_of(printed) in rows and fnmatch.fnmatch(printed.page, page)
                              and kind in ("*", printed.kind)))
