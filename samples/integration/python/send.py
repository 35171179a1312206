"""Sends payrolls: each body is checked with our JSON Schema, the address is that of our OpenAPI document.

    python3 send.py --url http://127.0.0.1:8080 --token TOKEN payroll.json
"""

import argparse
import json
import sys
from pathlib import Path
from urllib.request import Request, urlopen

from jsonschema import Draft202012Validator


def read(file):
    return json.loads(Path(file).read_text(encoding="utf-8"))


def address(openapi, operation):
    """Method and path of an operation."""
    for path, methods in openapi["paths"].items():
        for method, details in methods.items():
            if details["operationId"] == operation:
                return method.upper(), path
    raise KeyError(operation)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--schema", default="payroll.schema.json")
    parser.add_argument("--openapi", default="openapi.json")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()

    validator = Draft202012Validator(read(given.schema))
    method, path = address(read(given.openapi), "sendPayroll")
    wrong = 0
    for file in given.files:
        body = read(file)
        errors = list(validator.iter_errors(body))
        for error in errors:
            print(f"{file} {error.json_path}: {error.message}", file=sys.stderr)
        if errors:
            wrong += 1
            continue
        headers = {"Authorization": f"Bearer {given.token}", "Content-Type": "application/json"}
        request = Request(given.url + path, json.dumps(body).encode(), headers, method=method)
        with urlopen(request) as answer:
            sent = json.load(answer)
        print(f"{body['prefix']}{body['consecutive']} {sent['cune']}")
    sys.exit(1 if wrong else 0)


main()
