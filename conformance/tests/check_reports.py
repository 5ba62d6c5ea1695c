"""Reads the reports that test_report wrote with parsers that are not ours: Python's of XML and HTML, Debian's junitparser, Perl's
of TAP; and the JSON by its schema.

usage: check_reports.py FOLDER SCHEMA.json       FOLDER holds report.xml, report.json, report.tap, report.md, report.html
"""

import html.parser
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import junitparser

KNOWN = {"$schema", "title", "description", "type", "required", "properties", "additionalProperties", "items",
         "enum", "const", "minimum", "pattern"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}


def fits(value, schema, path="$"):
    """As much of JSON Schema as the report's schema uses."""
    assert set(schema) <= KNOWN, f"{path}: the checker does not know {set(schema) - KNOWN}"
    kind = schema.get("type")
    if kind:
        assert isinstance(value, TYPES[kind]), f"{path}: no {kind}"
        assert kind != "integer" or not isinstance(value, bool), f"{path}: a boolean"
    if "enum" in schema:
        assert value in schema["enum"], f"{path}: {value!r} is none of {schema['enum']}"
    if "const" in schema:
        assert value == schema["const"], f"{path}: {value!r}"
    if "minimum" in schema:
        assert value >= schema["minimum"], f"{path}: {value!r}"
    if "pattern" in schema:
        assert re.search(schema["pattern"], value), f"{path}: {value!r}"
    for name in schema.get("required", []):
        assert name in value, f"{path}: no {name}"
    for name, member in value.items() if kind == "object" else []:
        assert name in schema["properties"], f"{path}: {name} is not in the schema"
        fits(member, schema["properties"][name], f"{path}.{name}")
    for index, item in enumerate(value) if kind == "array" else []:
        fits(item, schema["items"], f"{path}[{index}]")


# What CI services read JUnit by: of each element the attributes (those that must be there with a star) and the
# children, in the order in which they may come.
JUNIT = {
    "testsuites": ("name time tests failures disabled errors", ["testsuite"]),
    "testsuite": ("name* tests* failures errors time disabled skipped timestamp hostname id package file log url",
                  ["properties", "testcase", "system-out", "system-err"]),
    "testcase": ("name* classname* time assertions status class file line group url",
                 ["skipped", "error", "failure", "system-out", "system-err"]),
    "skipped": ("type message", []),
    "error": ("type message", []),
    "failure": ("type message", []),
    "system-out": ("", []),
    "system-err": ("", []),
}


def fits_junit(element):
    attributes, children = JUNIT[element.tag]
    known = {name.rstrip("*") for name in attributes.split()}
    assert set(element.attrib) <= known, (element.tag, element.attrib)
    assert {name[:-1] for name in attributes.split() if name.endswith("*")} <= set(element.attrib), element.attrib
    for name in {"tests", "failures", "errors", "skipped"} & set(element.attrib):
        assert re.fullmatch("[0-9]+", element.get(name)), (name, element.get(name))
    assert re.fullmatch(r"[0-9]+\.[0-9]{3}", element.get("time", "0.000")), element.attrib
    order = [children.index(child.tag) for child in element]
    assert order == sorted(order), [child.tag for child in element]
    for child in element:
        fits_junit(child)


def check_junit(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    fits_junit(root)
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names) and ("oris-1_0", "ojin/test/failing") in names, names
    cases = root.findall("./testsuite/testcase")
    count = {tag: len(root.findall(f"./testsuite/testcase/{tag}")) for tag in ("failure", "error", "skipped")}
    assert len(cases) == int(root.get("tests")) == 7 + 2, root.attrib
    assert count["failure"] == int(root.get("failures")) == 2 + 2, root.attrib
    not_met = root.findall("./testsuite[@name='requirements']/testcase")
    assert [case.get("name") for case in not_met] == ["OJ-OUT-01", "OJ-OUT-09"], not_met
    assert not_met[0].find("failure").get("type") == "FAIL" and "rerun: ojin-conform run" in not_met[0].find("failure").text
    assert count["error"] == int(root.get("errors")) == 1, root.attrib
    assert count["skipped"] == sum(int(suite.get("skipped")) for suite in root) == 2, root.attrib
    for suite in root:
        assert int(suite.get("tests")) == len(suite.findall("testcase"))
    failure = root.find("./testsuite/testcase[@name='ojin/test/failing']/failure")
    assert failure.get("type") == "FAIL"
    assert "OJ-OUT-01" in failure.get("message"), failure.attrib
    assert "<&\">" in failure.text and "\x1b" not in failure.text, failure.text
    crash = root.find("./testsuite/testcase[@name='ojin/test/crashing']/failure")
    assert crash.get("type") == "CRASH", crash.attrib


def check_junit_as_others_read_it(path):
    """What a program makes of the file that shows results of all kinds of tests."""
    kinds, messages = {}, {}
    for suite in junitparser.JUnitXml.fromfile(path):
        seen = [result for case in suite for result in case.result]
        assert suite.tests == len(list(suite)), suite
        for kind, said in ((junitparser.Failure, suite.failures), (junitparser.Error, suite.errors), (junitparser.Skipped, suite.skipped)):
            assert said == sum(isinstance(result, kind) for result in seen), (suite, kind)
        for case in suite:
            kinds[case.name] = [type(result).__name__ for result in case.result]
            messages[case.name] = "".join(result.message or "" for result in case.result)
            assert case.time is not None and case.classname, case
    assert kinds.pop("ojin/test/failing") == ["Failure"] and "OJ-OUT-01" in messages["ojin/test/failing"], messages
    assert kinds.pop("ojin/test/crashing") == ["Failure"] and "SIGSEGV" in messages["ojin/test/crashing"], messages
    assert kinds.pop("OJ-OUT-01") == kinds.pop("OJ-OUT-09") == ["Failure"] and "killed by SIGSEGV" in messages["OJ-OUT-09"], messages
    assert sorted(kinds.values()) == [[], [], ["Error"], ["Skipped"], ["Skipped"]], kinds


def check_json(path, schema_path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    with open(schema_path, encoding="utf-8") as file:
        fits(report, json.load(file))
    by_id = {row["id"]: row for row in report["requirements"]}
    assert by_id["OJ-OUT-01"]["verdict"] == "FAIL", by_id["OJ-OUT-01"]
    assert by_id["OJ-OUT-01"]["cases"] == ["ojin/test/passing", "ojin/test/failing"], by_id["OJ-OUT-01"]
    assert by_id["OJ-OUT-02"]["verdict"] == "DISPUTED", by_id["OJ-OUT-02"]
    assert by_id["OJ-CAN-03"] == {**by_id["OJ-CAN-03"], "verdict": "UNSUPPORTED", "cases": []}
    assert "OJ-CLS-05" in report["uncovered"] and "OJ-OUT-01" not in report["uncovered"]
    assert "OJ-SRV-01" not in report["uncovered"] and "OJ-FHL-01" not in report["uncovered"]
    assert report["summary"] == {"passed": 2, "disputed": 1, "tolerated": 0, "failed": 3, "judged": report["summary"]["judged"], "unsupported": 1, "not_run": 1, "requirements_not_met": 0, "exit": 3, "reason": "an error that is not the client's in 1 case; FAIL OJ-OUT-01 OJ-OUT-09", "headline": report["summary"]["headline"]}
    assert report["summary"]["headline"].startswith("3 causes: no port; "), report["summary"]
    causes = [(cause["number"], cause["kind"], cause["verdict"], cause["fails"], cause["requirements"]) for cause in report["causes"]]
    assert causes == [(1, "own", "ERROR", True, []), (2, "broken", "FAIL", True, ["OJ-OUT-01"]), (3, "end", "CRASH", True, ["OJ-OUT-09"]),
                      (4, "broken", "DISPUTED", False, ["OJ-OUT-02"])], causes
    broken = report["causes"][1]
    assert (broken["sessions"], broken["broken_sessions"], broken["case"], broken["rerun"]) == (
        2, 1, "ojin/test/failing", "ojin-conform run --case X"), broken
    assert (by_id["OJ-OUT-01"]["judged"], by_id["OJ-OUT-01"]["of"], by_id["OJ-OUT-01"]["fails"]) == (2, 2, True), by_id["OJ-OUT-01"]
    cases = {case["name"]: case for case in report["cases"]}
    assert cases["ojin/test/crashing"]["end"] == "CRASH"
    meanings = {entry["word"]: entry["meaning"] for entry in report["legend"]}
    words = {row["verdict"] for kind in ("requirements", "causes", "cases") for row in report[kind]} | {case["end"] for case in report["cases"]} - {""}
    assert words <= set(meanings) and "SKIPPED" in words and all(meanings.values()), words - set(meanings)
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)["properties"]
    known = [schema[kind]["items"]["properties"][name]["enum"] for kind, name in (("requirements", "verdict"), ("causes", "verdict"), ("cases", "verdict"), ("cases", "end"))]
    assert {word for enum in known for word in enum} - {""} <= set(meanings), known
    assert "\ufffd" in cases["ojin/test/failing"]["checks"][0]["actual"]


# Perl's own parser; it knows version 14 as a later one than its own, and reads it all the same. Of version 13 it must not
# complain.
TAP_READER = r"""
use TAP::Parser;
use JSON::PP;
my $parser = TAP::Parser->new({source => $ARGV[0]});
my @points;
while (my $result = $parser->next) {
    push @points, {ok => $result->is_actual_ok ? 1 : 0, name => $result->description, directive => $result->directive,
                   why => $result->explanation} if $result->is_test;
    $points[-1]{yaml} = $result->data if $result->is_yaml;
    die "unknown: ", $result->as_string if $result->is_unknown;
}
my @errors = grep { !/version 14 but we don't know/ } $parser->parse_errors;
print JSON::PP->new->encode({points => \@points, errors => \@errors, planned => $parser->tests_planned});
"""


def check_tap(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    earlier = pathlib.Path(path.replace(".tap", ".tap13")).read_text(encoding="utf-8")
    assert text.startswith("TAP version 14\n") and earlier == text.replace("version 14", "version 13", 1), earlier
    done = subprocess.run(["/usr/bin/perl", "-e", TAP_READER, path], capture_output=True, check=True)
    tap = json.loads(done.stdout)
    assert tap["errors"] == [] and tap["planned"] == 7 + 2, tap
    points = {point["name"]: point for point in tap["points"]}
    assert len(points) == len(tap["points"]) == 7 + 2, tap
    assert points["- requirement OJ-OUT-01"]["ok"] == 0 and points["- requirement OJ-OUT-01"]["yaml"]["verdict"] == "FAIL"
    failing = points["- ojin/test/failing oris-1.0"]
    assert failing["ok"] == 0 and failing["yaml"]["verdict"] == "FAIL", failing
    check = failing["yaml"]["checks"][0]
    assert check["requirement"] == "OJ-OUT-01" and check["expected"] == "no such thing", check
    assert "<&\">" in check["actual"], check
    assert points["- ojin/test/crashing oris-1.0"]["yaml"]["verdict"] == "CRASH"
    assert points["- ojin/test/disputed oris-1.0"]["ok"] == 1
    skipped = {name: point["why"] for name, point in points.items() if point["directive"] == "SKIP"}
    assert skipped == {"- ojin/test/observing oris-1.0": "needs a client that says what it saw",
                       "- ojin/test/on-a-socket oris-1.0": "needs a real transport"}, skipped


def check_markdown(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    assert text.startswith("## ojin-conform: 2 passed, 3 failed; 1 of the passed disputed\n"), text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) in (5, 6) for row in rows), rows
    assert re.findall("(?m)^### (.*)$", text) == ["1. ERROR", "2. FAIL OJ-OUT-01", "3. CRASH OJ-OUT-09", "Worth a look"], text
    look = text[text.index("### Worth a look\n"):]
    assert re.findall("(?m)^#### (.*)$", look) == ["4. DISPUTED OJ-OUT-02"], look
    assert "\n- Situation: A title\n" in look and "- The client said last" not in look, look
    assert "- Last on the wire\n  <pre>" in look and "- It wrote\n  <pre>" in look, look
    assert [row.split(" | ")[:2] for row in rows if row.startswith("| OJ-")] == [
        ["| OJ-OUT-01", "FAIL"], ["| OJ-OUT-02", "DISPUTED"], ["| OJ-OUT-03", "ERROR"], ["| OJ-OUT-09", "FAIL"]], rows
    assert "<&" not in text and "\x1b" not in text, text
    assert "Not judged: 1 case (needs a client that says what it saw), 1 case (needs a real transport)\n" in text, text


class Page(html.parser.HTMLParser):
    """What elements a page has, what stands in them, and the data of its pictures."""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.text, self.data = set(), [], "", []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in ("meta", "link", "input"):
            self.open.append(tag)
        if ("class", "data") in attributes:
            self.data.append("")

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.open, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            if self.data and not self.data[-1]:
                self.data[-1] = data
        else:
            self.text += data


def check_html(path):
    page = Page()
    page.feed(pathlib.Path(path).read_text(encoding="utf-8"))
    assert page.open == [], page.open
    assert "b" in page.tags and not page.tags & {"img", "iframe", "object", "embed"}, page.tags
    assert '<&">[31m?]]>' in page.text and "</pre><script>" in page.text and "\x1b" not in page.text
    assert [json.loads(data)["of"] for data in page.data[:5]] == ["</script><b>"] * 5, page.data
    assert "OJ-OUT-09" in page.text and "killed by SIGSEGV" in page.text


if __name__ == "__main__":
    folder, schema = sys.argv[1:]
    check_junit(f"{folder}/report.xml")
    check_junit_as_others_read_it(f"{folder}/report.xml")
    check_json(f"{folder}/report.json", schema)
    check_tap(f"{folder}/report.tap")
    check_markdown(f"{folder}/report.md")
    check_html(f"{folder}/report.html")
