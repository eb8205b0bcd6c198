"""Explores one scenario by its name and prints the harms it shows, as JSON: run in a process of its own."""

import json
import sys

from stepcheck.explorer.demonstrations import find
from stepcheck.explorer.explore import explore
from stepcheck.explorer.guaranteed import claims


def main() -> None:
    name, faults = sys.argv[1], int(sys.argv[2])
    if name.startswith("demonstration:"):
        scenario = find(name.removeprefix("demonstration:")).good
    else:
        scenario = next(claim.scenario for claim in claims() if claim.name == name)
    result = explore(scenario, faults)
    print(json.dumps({"schedules": result.schedules, "harms": dict(result.harms)}))


if __name__ == "__main__":
    main()
