"""Runs the vectors of the file named by the first argument and prints the outcomes as JSON."""

import json
import sys

from carillon_sdk import CallbackRefusal, Key, Verifier

with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)


def outcomes(vector):
    try:
        verifier = Verifier(
            [Key(key["algorithm"], key["key"], key.get("acceptedUntil")) for key in vector["keys"]],
            audience=given["audience"],
            domain=given["domain"],
            clock_skew=given["clockSkewS"],
            now=lambda: given["now"],
        )
    except CallbackRefusal as refusal:
        return [refusal.code]
    found = []
    for _ in range(vector.get("times", 1)):
        try:
            verifier.verify(vector["authorization"], vector["body"].encode())
            found.append("ok")
        except CallbackRefusal as refusal:
            assert refusal.reason.endswith(".") and refusal.advice.endswith(".")
            found.append(refusal.code)
    return found


json.dump([outcomes(vector) for vector in given["vectors"]], sys.stdout)
