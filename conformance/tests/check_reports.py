"""Reads the reports that test_report wrote with parsers of Python's own, and the JSON by its schema.

usage: check_reports.py JUNIT.xml REPORT.json SCHEMA.json
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

KNOWN = {"$schema", "title", "description", "type", "required", "properties", "additionalProperties", "items",
         "enum", "const", "minimum", "pattern"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


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


def check_junit(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    cases = root.findall("./testsuite/testcase")
    count = {tag: len(root.findall(f"./testsuite/testcase/{tag}")) for tag in ("failure", "error", "skipped")}
    assert len(cases) == int(root.get("tests")) == 7, root.attrib
    assert count["failure"] == int(root.get("failures")) == 2, root.attrib
    assert count["error"] == int(root.get("errors")) == 1, root.attrib
    assert count["skipped"] == int(root.get("skipped")) == 2, root.attrib
    for suite in root:
        assert int(suite.get("tests")) == len(suite.findall("testcase"))
    failure = root.find("./testsuite/testcase[@name='ojin/test/failing']/failure")
    assert failure.get("type") == "FAIL"
    assert "OJ-OUT-01" in failure.get("message"), failure.attrib
    assert "<&\">" in failure.text and "\x1b" not in failure.text, failure.text
    crash = root.find("./testsuite/testcase[@name='ojin/test/crashing']/failure")
    assert crash.get("type") == "CRASH", crash.attrib


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
    assert report["summary"] == {"passed": 2, "failed": 3, "unsupported": 1, "not_run": 1, "exit": 3}
    cases = {case["name"]: case for case in report["cases"]}
    assert cases["ojin/test/crashing"]["end"] == "CRASH"
    assert "\ufffd" in cases["ojin/test/failing"]["checks"][0]["actual"]


if __name__ == "__main__":
    check_junit(sys.argv[1])
    check_json(sys.argv[2], sys.argv[3])
