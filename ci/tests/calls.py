"""What the code of a file may call, by names alone, and which functions take bytes.

A definition leads to every function, table and macro that it names, through any number of others; a static one only within
its file. Members (`.name`, `->name`) are no names. So a function that is not reached is not called; one that is reached may
still not be called.
"""

import re

LAYERS = ("codec", "server", "client", "conformance")
NOT_OURS = {"tests", "bench", "clients"}  # tests, measurements, clients of users
ASIDE = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)  # comments, texts, characters
ROWS = re.compile(r'^#include "([\w/]+\.def)"', re.MULTILINE)
MACRO = re.compile(r"#define (\w+)")
DEFINED = re.compile(r"\(\*(?:const )?(\w+)(?:\[[^\]]*\])+\)\(|\b(\w+)\s*(?:\((?!\*)|(?:\[[^\]]*\]\s*)*=)")  # no member that points to a function
NAME = re.compile(r"(?<![.>\w])[A-Za-z_]\w*")
JOINED = re.compile(r"##\s*(\w+)")
PROTOTYPE = re.compile(r"^(?!typedef|static)[a-z][\w \*]*?\b(\w+)\(([^;{}]*)\);", re.MULTILINE)
BYTES = re.compile(r"struct bytes (?!\*)\w|const uint8_t \*|const uint8_t \w+\[|const char \*\w+, size_t")


def ours(root, pattern):
    """The files of that pattern that are of the libraries and programs."""
    for layer in LAYERS:
        for path in sorted((root / layer).rglob(pattern)):
            if not NOT_OURS & set(path.relative_to(root).parts) and not path.name.startswith("fuzz_"):
                yield path


def code_of(path, root):
    """Without comments and texts; the rows of a table that it includes stand in their place."""
    code = ROWS.sub(lambda found: (root / found[1]).read_text(encoding="utf-8"), path.read_text(encoding="utf-8"))
    return ASIDE.sub(lambda found: "" if found[0].startswith("/") else "0", code).replace("\\\n", " ")


def definitions(code):
    """(name, text) of whatever is defined at the outermost level of a file."""
    depth, lines = 0, []
    for line in code.splitlines():
        if depth == 0 and line.startswith("#"):
            if MACRO.match(line):
                yield MACRO.match(line)[1], line
            continue
        depth += line.count("{") - line.count("}")
        lines.append(line)
        if depth == 0 and line.rstrip().endswith((";", "}")):
            text = "\n".join(lines).strip()
            lines = []
            name = DEFINED.search(text)
            if name and re.search(r"[{=]", text):
                yield name[1] or name[2], text


def takers(root):
    """{function: header} of those that take bytes."""
    found = {}
    for path in ours(root, "*.h"):
        for name, parameters in PROTOTYPE.findall(code_of(path, root)):
            if BYTES.search(parameters):
                found[name] = str(path.relative_to(root))
    return found


class Calls:
    def __init__(self, root):
        self.root = root
        registry = root / "codec/families.def"  # what stands before the names of each family's tables
        self.families = re.findall(r"^FAMILY\(\w+, (\w+)\)", registry.read_text(encoding="utf-8"), re.MULTILINE)
        self.known = {}  # {name: [(its file, only seen there, names in it)]}
        for path in (*ours(root, "*.c"), *ours(root, "*.h")):
            for name, text in definitions(code_of(path, root)):
                own = path.suffix == ".c" and text.startswith(("static", "#"))
                self.known.setdefault(name, []).append((path, own, self.names_in(text)))

    def names_in(self, code):
        return set(NAME.findall(code)) | {family + end for end in JOINED.findall(code) for family in self.families}

    def reached_from(self, paths):
        """The names of all definitions that the code of these files leads to."""
        todo = [(path, self.names_in(code_of(path, self.root))) for path in paths]
        seen, found = set(), set()
        while todo:
            path, names = todo.pop()
            for name in names:
                for n, (there, own, further) in enumerate(self.known.get(name, ())):
                    if (name, n) not in seen and (not own or there == path):
                        seen.add((name, n))
                        found.add(name)
                        todo.append((there, further))
        return found
