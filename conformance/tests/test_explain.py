#!/usr/bin/python3
"""ojin-conform explain: every requirement and every case can be asked for, and a wrong name gets the nearest."""

import csv
import json
import re
import subprocess
import sys
import unittest

from runner_case import CONFORM, SOURCE, RunnerCase

TABLE = SOURCE / "codec/rules/requirements.tsv"
# What sources name in the table, and what people read.
TITLES = {
    "000 ": "Ojin Oris 1.0 Realtime API: ",
    "001 ": "Ojin documentation of the earlier Realtime API: ",
    "002 ": "Video Full-Duplex Protocol: ",
    "003 ": "Ojin Flashhead Lite 1.0 Realtime API: ",
    "004 ": "Realtime Interview API: ",
    "field notes": "seen in use, in no document",
}


class Explain(RunnerCase):
    def explained(self, *words):
        done = self.conform("explain", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        return done.stdout

    def names_of_cases(self, *options):
        listed = subprocess.run([CONFORM, "list", *options], capture_output=True, text=True, check=True).stdout
        return [line.split()[0] for line in listed.splitlines()[:-1]]

    def test_every_requirement_as_the_table_has_it(self):
        rows = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
        said = [json.loads(line) for line in self.explained("--json", *[row["id"] for row in rows]).splitlines()]
        self.assertEqual(len(said), len(rows))
        known = {*self.names_of_cases(), *self.names_of_cases("--server")}
        for row, one in zip(rows, said):
            row["source"] = re.sub(r"(^|; )(00\d |field notes$)", lambda found: found[1] + TITLES[found[2]], row["source"])
            self.assertEqual({name: one[name] for name in row}, row)
            self.assertLessEqual({case["name"] for case in one["cases"]}, known)
        by_id = {one["id"]: one for one in said}
        self.assertTrue(by_id["OJ-CON-01"]["rule"])
        self.assertFalse(by_id["OJ-CAN-03"]["rule"])
        self.assertIn({"name": "ojin/cancel/late-speech", "checks": ["stops-showing"]}, by_id["OJ-CAN-03"]["cases"])

    def test_every_case_says_what_is_done_on_both_sides(self):
        names = self.names_of_cases()
        said = [json.loads(line) for line in self.explained("--json", *names).splitlines()]
        self.assertEqual([one["name"] for one in said], names)
        for one in said:
            self.assertTrue(one["server"].strip() and one["clauses"] and one["expect"], one["name"])
            self.assertEqual((one["party"], one["client"]), ("client", ""))
            for check in one["checks"]:
                prefix = {"ojin": "OJ-", "duplex": "DX-", "interview": "IV-"}[one["name"].split("/")[0]]
                self.assertTrue(check["expected"] and check["requirement"].startswith(prefix), one["name"])
        servers = self.names_of_cases("--server")
        for line in self.explained("--json", *servers).splitlines():
            one = json.loads(line)
            self.assertTrue(one["client"].strip(), one["name"])
            self.assertEqual((one["party"], one["server"]), ("server", ""))

    def test_what_people_read(self):
        text = self.explained("oj-can-03")
        for part in ("OJ-CAN-03  client MUST\n", "basis     doc: it stands in a document\n", "source    Ojin Oris 1.0 Realtime API: Best Practices",
                     "  ojin/cancel/late-speech  ", "check stops-showing: no speech frame of "):
            self.assertIn(part, text)
        text = self.explained("ojin/cancel/late-speech")
        for part in ("What the client is asked to do\n  speak ", "What the mock does\n  accept\n", "What must hold\n  stops-showing  OJ-CAN-03 MUST\n",
                     "tier      observe: "):
            self.assertIn(part, text)

    def test_sources_name_documents_by_their_titles(self):
        ids = [row.split("\t")[0] for row in TABLE.read_text().splitlines()[1:]]
        sources = {json.loads(line)["source"] for line in self.explained("--json", *ids).splitlines()}
        self.assertGreater(len(sources), 50)
        known = ("RFC 6455 ", *TITLES.values())
        self.assertEqual([part for source in sources for part in source.split("; ") if not part.startswith(known)], [])

    def test_an_unknown_name_gets_the_nearest(self):
        for name, nearest in (("OJ-CAN-3", "OJ-CAN-03"), ("ojin/cancel/late-spech", "ojin/cancel/late-speech"),
                              ("late-speech", "ojin/cancel/late-speech"), ("oj-srv-9", "OJ-SRV-09")):
            done = self.conform("explain", name)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"no requirement and no case '{name}'; did you mean \"{nearest}\"?\n", done.stderr)
        done = self.conform("explain", "nothing-of-the-kind")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'ojin-conform list' shows the cases", done.stderr)

    def test_wrong_usage(self):
        for words in ((), ("--jsn", "OJ-CAN-03")):
            done = self.conform("explain", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
