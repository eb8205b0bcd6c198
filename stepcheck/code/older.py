"""Newer syntax said in the words of Python 3.11: every name, call and argument stays where it stands.

Parsing by libcst would take ten times as long and give places only for another three times that. What 3.11 refuses
of the Pythons up to 3.15 can be said in it without moving anything: type parameters are left out (PEP 695, 696), an
alias or a lazy import loses its keyword (PEP 695, 810), `except A, B:` gets its brackets (PEP 758), a template is an
f-string (PEP 750), and strings in the fields of an f-string take the quotes that are free there (PEP 701).
"""

import re
from dataclasses import dataclass

_NEXT = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<string>(?<!\w)(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|'))"
    r"|(?P<alias>(?:(?<=\n)|(?<=;)|\A)[ \t]*(?P<type>type)[ \t]+\w+[ \t]*(?:=(?!=)|\[))"
    r"|(?P<lazy>(?:(?<=\n)|(?<=;)|\A)[ \t]*lazy(?=[ \t]+(?:import|from)\b))"
    r"|\b(?P<defined>def|class)[ \t]+\w+[ \t]*(?=\[)"
    r"|\bexcept(?P<group>\*?)(?P<space>[ \t]+)(?P<caught>[\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)(?P<end>[ \t]*):"
)
_ASSIGNS = re.compile(r"[ \t]*=(?!=)")
_NAMED = re.compile(r"\\N\{[^}\n]*\}")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 20
"""Strings within fields within strings."""


class CannotSayError(Exception):
    """The syntax has no counterpart of the same length."""


class _BrokenLineError(CannotSayError):
    """A field of a string that must stay on its line goes over several."""

    def __init__(self, at: int) -> None:
        self.at = at


def older(text: str) -> str | None:
    """The same text in the syntax of Python 3.11, character by character; None where that cannot be said.

    What is no newer syntax is left as it is, valid or not. Constants inside the fields of f-strings may lose escapes.
    """
    writing = _Writing(text, list(text))
    try:
        writing.code(0, "", 0)
    except CannotSayError:
        return None
    return "".join(writing.out)


@dataclass(slots=True)
class _Writing:
    text: str
    out: list[str]

    def code(self, at: int, taken: str, depth: int) -> int:
        """Go through code from a place to the end, or to the bracket that closes a field; its place is returned.

        `taken` are the quotes of the strings around a field.
        """
        text, open_ = self.text, 0
        while at < len(text):
            found = _NEXT.match(text, at) if depth else _NEXT.search(text, at)
            if found is None and not depth:
                return len(text)
            if found is None:
                letter = text[at]
                if letter in "([{":
                    open_ += 1
                elif letter in ")]}" and open_:
                    open_ -= 1
                elif letter == "}" or (letter in ":!" and not open_ and self._ends_value(at)):
                    return at
                elif letter == "\n" and not _multiline(taken):
                    raise _BrokenLineError(at)
                at += 1
                continue
            at = self._found(found, taken, depth)
        return at

    def _ends_value(self, at: int) -> bool:
        """Whether a `:` or `!` outside of brackets ends the value of a field."""
        return self.text[at] == ":" or self.text[at + 1 : at + 2] != "="

    def _found(self, found: re.Match[str], taken: str, depth: int) -> int:
        if found["comment"] is not None:
            if depth:
                self._blank(*found.span())
            return found.end()
        if found["string"] is not None:
            return self._string(found, taken, depth)
        if depth:
            return found.start() + 1
        if found["alias"] is not None:
            # `type X = int` is `type;X = int`: an expression, and an assignment where the alias stands.
            self.out[found.end("type")] = ";"
            bracket = found.end() - 1
            if self.text[bracket] == "[":
                end = self._closing(bracket)
                if _ASSIGNS.match(self.text, end) is None:
                    self.out[found.end("type")] = self.text[found.end("type")]
                    return found.end("type")
                self._blank(bracket, end)
                return end
            return found.end()
        if found["lazy"] is not None:
            self.out[found.end()] = ";"
            return found.end()
        if found["defined"] is not None:
            end = self._closing(found.end())
            self._blank(found.end(), end)
            self._continue(found.end(), end)
            return end
        return self._except(found)

    def _except(self, found: re.Match[str]) -> int:
        """`except A, B:` is `except(A,B):`; a space is needed for each bracket.

        Python 2 has a variable behind the comma, which nobody writes with a capital.
        """
        caught = found["caught"]
        if any(not name.strip().rpartition(".")[2][:1].isupper() for name in caught.split(",")[1:]):
            return found.end()
        inner = re.sub(r"[ \t]+", "", caught)
        room = found.end() - 1 - found.end("group")
        if len(inner) + 2 > room:
            raise CannotSayError
        names = f"({inner}){' ' * (room - len(inner) - 2)}"
        # Each name stays where it stands, as far as there are spaces around the commas.
        self.out[found.end("group") : found.end() - 1] = _spread(
            names, self.text[found.end("group") : found.end() - 1]
        )
        return found.end()

    def _string(self, found: re.Match[str], taken: str, depth: int) -> int:
        prefix, quote = found["prefix"].lower(), found["quote"]
        if prefix not in ("", "r", "b", "u", "f", "t", "rb", "br", "rf", "fr", "rt", "tr"):
            return found.start("quote") if found["prefix"] else found.end()
        start, body = found.start("quote"), found.end()
        if "t" in prefix:
            for place in range(found.start("prefix"), found.end("prefix")):
                if self.text[place] in "tT":
                    self.out[place] = "f" if self.text[place] == "t" else "F"
        chosen = quote if not depth else _free(quote, taken)
        if "f" in prefix or "t" in prefix:
            try:
                end = self._formatted(body, quote, taken + (chosen or quote), depth, raw="r" in prefix)
            except _BrokenLineError as broken:
                if depth:
                    raise
                self.out[found.start() : broken.at + 1] = self.text[found.start() : broken.at + 1]
                return self._values(found.start(), body, quote)
        else:
            end = self._plain(body, quote, taken + (chosen or quote) if depth else "")
        if end > len(self.text):
            raise CannotSayError
        if depth and chosen is None:
            # No quotes are left: a name of the same length stands for the string.
            if "\n" in self.text[found.start() : end]:
                raise CannotSayError
            self.out[found.start() : end] = "_" * (end - found.start())
        elif chosen is not None and chosen != quote:
            self.out[start:body] = chosen
            self.out[end - len(quote) : end] = chosen
        return end

    def _plain(self, at: int, quote: str, taken: str) -> int:
        """Go past a string's end; inside a field nothing may look like an escape or like the quotes `taken`."""
        text = self.text
        while at < len(text):
            if text[at] == "\\":
                if taken:
                    self._blank(at, at + 2)
                at += 2
            elif text.startswith(quote, at):
                return at + len(quote)
            elif text[at] == "\n" and len(quote) == 1:
                return at
            else:
                if text[at] in taken and not _multiline(taken):
                    self.out[at] = "`"
                at += 1
        return at

    def _formatted(self, at: int, quote: str, taken: str, depth: int, *, raw: bool) -> int:
        """Go past an f-string's end, through its fields."""
        if depth > _DEEPEST:
            raise CannotSayError
        text = self.text
        while at < len(text):
            if text.startswith(quote, at):
                return at + len(quote)
            letter = text[at]
            if letter == "\\":
                if depth:
                    self._blank(at, at + 2)
                named = None if raw else _NAMED.match(text, at)
                at = named.end() if named else at + (1 if raw and text[at + 1 : at + 2] in "{}" else 2)
            elif text.startswith(("{{", "}}"), at):
                at += 2
            elif letter == "{":
                at = self._field(at + 1, quote, taken, depth, raw=raw)
            elif letter == "\n" and len(quote) == 1:
                return at
            else:
                if depth and letter in taken and not _multiline(taken):
                    self.out[at] = "`"
                at += 1
        return at

    def _field(self, at: int, quote: str, taken: str, depth: int, *, raw: bool) -> int:
        """Go past the `}` of a field: its value, what it is converted by, and its format."""
        at = self.code(at, taken, depth + 1)
        text = self.text
        if text[at : at + 1] == "!":
            at += 2
        if text[at : at + 1] == ":":
            at += 1
            while at < len(text) and text[at] != "}":
                if text.startswith(quote, at) or (text[at] == "\n" and len(quote) == 1):
                    return at
                at = self._field(at + 1, quote, taken, depth, raw=raw) if text[at] == "{" else at + 1
        return at + 1

    def _values(self, start: int, at: int, quote: str) -> int:
        """Say an f-string whose fields go over lines as a tuple of their values: `f"a{x}b"` is `(  x, )`."""
        text = self.text
        self._blank(start, at)
        self.out[at - 1] = "("
        while at < len(text) and text[at] != quote:
            if text.startswith(("{{", "}}", "\\"), at):
                self._blank(at, at + 2)
                at += 2
            elif text[at] == "{":
                self._blank(at, at + 1)
                end = self.code(at + 1, '"""', 1)
                at = self._field(at + 1, quote, '"""', 0, raw=False)
                if at > len(text):
                    raise CannotSayError
                self._blank(end, at)
                self.out[at - 1] = ","
            else:
                self._blank(at, at + 1)
                at += 1
        if at >= len(text):
            raise CannotSayError
        self.out[at] = ")"
        return at + 1

    def _closing(self, at: int) -> int:
        """Behind the bracket that closes the one at a place."""
        waiting: list[str] = []
        while at < len(self.text):
            letter = self.text[at]
            if letter in _BRACKETS:
                waiting.append(_BRACKETS[letter])
            elif waiting and letter == waiting[-1]:
                waiting.pop()
                if not waiting:
                    return at + 1
            elif letter in "'\"":
                end = self.text.find(letter, at + 1)
                at = end if end > 0 else len(self.text)
            at += 1
        raise CannotSayError

    def _continue(self, start: int, end: int) -> None:
        """Let the lines there be one: a line's last letter becomes a backslash."""
        for place in range(start, end):
            if self.text[place] == "\n":
                if place == start or self.text[place - 1] == "\n":
                    raise CannotSayError
                self.out[place - 1] = "\\"

    def _blank(self, start: int, end: int) -> None:
        """Put spaces there; letters of more than a byte would move what stands behind them."""
        for place in range(start, min(end, len(self.out))):
            if not self.text[place].isascii():
                raise CannotSayError
            if self.text[place] != "\n":
                self.out[place] = " "


def _multiline(taken: str) -> bool:
    """Whether the outermost string around a field may go over lines."""
    return taken[:3] in ('"""', "'''")


def _free(quote: str, taken: str) -> str | None:
    """Quotes of the same length that none of the strings around a field has, or None."""
    if _multiline(taken) and taken.count(taken[0]) == 3 and len(quote) == 1:
        return quote
    for letter in (quote[0], "'", '"'):
        if letter not in taken:
            return letter * len(quote)
    return None


def _spread(names: str, written: str) -> str:
    """`(A,B)` over the room that ` A, B` has: each name where it was, where its bracket has room."""
    spread = list(" " * len(written))
    first = len(written) - len(written.lstrip())
    spread[first - 1] = "("
    spread[first : first + len(written.strip())] = written.strip()
    end = first + len(written.strip())
    if end < len(written):
        spread[end] = ")"
        return "".join(spread)
    return names
