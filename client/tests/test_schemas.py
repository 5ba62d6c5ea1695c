"""The schemas agree with formats.json, which the C readers are held to as well."""
import json
import pathlib
import sys

import jsonschema

root = pathlib.Path(sys.argv[1])
samples = json.loads((root / "client/tests/formats.json").read_text())
wrong = 0
judged = 0
for kind, name in (("observations", "observation"), ("plans", "plan")):
    schema = json.loads((root / f"conformance/{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for sample in samples[kind]:
        judged += 1
        if validator.is_valid(sample["json"]) != sample["valid"]:
            wrong += 1
            print(f"{name} '{sample['name']}' should be {'valid' if sample['valid'] else 'invalid'}")
print(f"{judged} samples, {wrong} judged wrongly")
sys.exit(1 if wrong or not judged else 0)
