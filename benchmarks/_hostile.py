"""Python files made to break what reads them, each with a write that is sent again beside what is hostile."""

_AGAIN = """import requests

def again(order):
    for attempt in range(3):
        try:
            return requests.post("https://shop.example/orders", json=order, timeout=5)
        except requests.RequestException:
            continue

"""
"""So that no file is passed over by its words."""


def _inside(lines: str, indent: int = 4) -> str:
    """A function that sends again what the lines do."""
    body = "".join(" " * indent + line + "\n" for line in lines.splitlines())
    return f"def hostile(a, b):\n{body}"


def _nested(opening: str, levels: int, inmost: str) -> str:
    """A block in a block in a block, in a function."""
    lines = [" " * level + opening for level in range(levels)]
    return _inside("\n".join([*lines, " " * levels + inmost]))


def _retries(count: int) -> str:
    """So many loops that try again, one after the other."""
    each = "for n in range(3):\n    try:\n        requests.post(a{0})\n        break\n    except E{0}:\n        pass"
    return _inside("\n".join(each.format(number) for number in range(count)))


def _handlers(count: int) -> str:
    return _inside("\n".join(f"try:\n    requests.post(u{n})\nexcept E{n}:\n    pass" for n in range(count)))


def _chained(count: int) -> str:
    """Functions of which each sends something and calls the next."""
    each = "def f{0}(x):\n    requests.post(x, json={{'n': {0}}})\n    return f{1}(x)\n\n"
    return "".join(each.format(number, number + 1) for number in range(count))


def _all_calling(count: int) -> str:
    """Functions of which each calls all."""
    calls = "".join(f"        f{number}(x)\n" for number in range(count))
    each = "def f{0}(x):\n    try:\n        requests.post(x)\n{1}    except OSError:\n        f{0}(x)\n\n"
    return "".join(each.format(number, calls) for number in range(count))


def _long(megabytes: float) -> str:
    """One function of plain statements."""
    each = "    value_{0} = make(value_{1}, 'key', {0})\n    requests.post(url, json=value_{0})\n"
    lines, size, number = [], 0, 1
    while size < megabytes * 1e6:
        lines.append(each.format(number, number - 1))
        size += len(lines[-1])
        number += 1
    return "def long(url, value_0):\n" + "".join(lines)


FILES: dict[str, str] = {
    "nothing hostile": "",
    "1,500 brackets": "x = " + "[" * 1_500 + "]" * 1_500,
    "150 calls in calls": _inside("return " + "requests.post(" * 150 + "a" + ")" * 150),
    "a chain of 2,000 calls": _inside("return a" + ".post()" * 2_000),
    "a chain of 140 calls": _inside("return a" + ".post(key=b)" * 140),
    "1,500 functions, each calling the next": _chained(1_500),
    "200 functions, each calling the next": _chained(200),
    "60 functions, each calling all": _all_calling(60),
    "one function of 2 MB": _long(2),
    "one function of 200 kB": _long(0.2),
    "400 functions that send again": "".join(
        _retries(1).replace("hostile", f"hostile{number}") for number in range(400)
    ),
    "60 retry loops in one function": _retries(60),
    "1,000 retry loops in one function": _retries(1_000),
    "10,000 handlers": _handlers(10_000),
    "200 handlers": _handlers(200),
    "one try with 3,000 handlers": _inside(
        "try:\n    requests.post(a)\n" + "".join(f"except E{n}:\n    requests.post(b)\n" for n in range(3_000))
    ),
    "90 ifs in each other": _nested("if requests.post(a):", 90, "requests.post(b)"),
    "500 ifs in each other": _nested("if a:", 500, "requests.post(b)"),
    "19 loops in each other": _nested("for a in b:", 19, "requests.post(a)"),
    "40 tries in each other": _inside(
        "\n".join(" " * n + "try:" for n in range(40))
        + "\n" + " " * 40 + "requests.post(a)\n"
        + "\n".join(" " * n + f"finally: requests.post(b{n})" for n in reversed(range(40)))
    ),
    "2,000 elifs": _inside(
        "if a: requests.post(a)\n" + "".join(f"elif a == {n}: requests.post(b)\n" for n in range(2_000))
    ),
    "a match of 3,000 cases": _inside(
        "match a:\n" + "".join(f"    case {n}:\n        requests.post(b)\n" for n in range(3_000))
    ),
    "a table of 20,000 steps": "STEPS = {" + ",".join(f'"k{n}": {{"effect": "read"}}' for n in range(20_000)) + "}\n",
    "a list of 400,000 numbers": _inside("requests.post(a, json=[" + "1," * 400_000 + "])"),
    "a text with 3,000 fields": _inside("key = f'" + "{a}-" * 3_000 + "'\nrequests.post(a, json={'key': key})"),
    "fields in fields": _inside("key = f'{a:{b:>{a}}}'\n" * 500 + "requests.post(a, json=key)"),
    "a text of 4 MB": _inside("requests.post(a, data='" + "retry " * 700_000 + "')"),
    "a sum of 5,000 parts": _inside("requests.post(a, data=" + "+".join(["b"] * 5_000) + ")"),
    "a comparison of 5,000 parts": _inside("while " + " and ".join(["a()"] * 5_000) + ": requests.post(b)"),
    "3,000 names of names": "".join(f"a{n + 1} = a{n}\n" for n in range(3_000)) + "a3000.post()\n",
    "60 bases of bases": "".join(f"class A{n}(A{n + 1}, A{n + 2}):\n    pass\n" for n in range(60)),
    "90 lambdas in lambdas": "x = " + "lambda a: requests.post(a, " * 90 + "a" + ")" * 90,
    "90 decorators on each of 50 functions": "".join(
        "".join(f"@retry(stop={n})\n" for n in range(90)) + f"def g{m}(x):\n    requests.post(x)\n"
        for m in range(50)
    ),
    "1,000 context managers": _inside(
        "with " + ", ".join(f"a.b{n}()" for n in range(1_000)) + ":\n    requests.post(a)"
    ),
    "a comprehension of 400 loops": _inside("return [requests.post(a) " + "for a in b() if c() " * 400 + "]"),
    "100,000 open brackets": "x = " + "(" * 100_000,
    "no end of a text": 'x = """' + "retry requests.post " * 20_000,
    "zero bytes": "x = '\0'",
    "no UTF-8": "# coding: ascii\n" + _AGAIN + "x = 'é'",
}  # fmt: skip
"""The text of each file, by what is hostile in it."""


def hostile_file(name: str) -> bytes:
    """The file of that name."""
    text = FILES[name]
    return (text if text.startswith("#") else _AGAIN + text).encode()
