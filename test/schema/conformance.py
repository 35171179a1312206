"""Says of each [schema, value] on stdin whether the schema takes the value, as a list of booleans."""

import json
import sys

from jsonschema import Draft202012Validator

validators = {}


def takes(schemas, name, value):
    if name not in validators:
        Draft202012Validator.check_schema(schemas[name])
        validators[name] = Draft202012Validator(schemas[name])
    return validators[name].is_valid(value)


given = json.load(sys.stdin)
json.dump([takes(given["schemas"], name, value) for name, value in given["cases"]], sys.stdout)
