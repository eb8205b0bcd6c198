"""Changes to one Python statement, made on its libcst tree; imported in the child process only."""

from collections.abc import Callable

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from stepcheck.fixes.edit import CannotFix
from stepcheck.fixes.layout import inserted_argument, inserted_element

Place = tuple[int, int]
"""Line from 1 and column from 1 in the statement."""
Edited = tuple[str, int, int]
"""The new statement, and the line and column where the change may begin at the earliest."""


class Tree:
    """One statement, with the place of each node. Raises CannotFix where libcst does not give it back."""

    def __init__(self, text: str) -> None:
        try:
            self.module = cst.parse_module(text)
        except Exception as error:  # libcst raises its own, SyntaxError, RecursionError and more
            raise CannotFix(f"libcst cannot parse the statement ({type(error).__name__})") from error
        if self.module.code != text:
            raise CannotFix("libcst does not give the statement back as it was")
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        self._ranges = wrapper.resolve(PositionProvider)
        self._parents: dict[cst.CSTNode, cst.CSTNode] = {}
        todo: list[cst.CSTNode] = [self.module]
        while todo:
            node = todo.pop()
            for child in node.children:
                self._parents[child] = node
                todo.append(child)

    def rename(self, place: Place, new: str) -> Edited:
        """Another name for the key at the place: a string, the name of an argument or of an attribute."""
        for node in self._at(place):
            parent = self._parents.get(node)
            if isinstance(node, cst.SimpleString) and isinstance(
                parent, cst.DictElement | cst.Index | cst.Arg
            ):
                return self._replaced(node, node.with_changes(value=_requoted(node, new)), place)
            is_keyword = isinstance(parent, cst.Arg) and parent.keyword is node
            is_attribute = isinstance(parent, cst.AnnAssign | cst.AssignTarget) and parent.target is node
            if isinstance(node, cst.Name) and (is_keyword or is_attribute):
                return self._replaced(node, node.with_changes(value=new), place)
        raise CannotFix("what stands there is no key that can be renamed")

    def add(self, place: Place, key: str, value: str) -> Edited:
        """One more entry, behind the one whose key or value is at the place."""
        for node in self._at(place):
            entry = self._parents.get(node)
            owner = self._parents.get(entry) if entry else None
            if isinstance(entry, cst.DictElement) and isinstance(owner, cst.Dict):
                made = inserted_element(owner, owner.elements.index(entry), key, value)
                return self._replaced(owner, made, self._end(entry.value))
            if isinstance(entry, cst.Arg) and isinstance(owner, cst.Call) and entry.keyword is not None:
                made_call = inserted_argument(owner, owner.args.index(entry), key, value)
                return self._replaced(owner, made_call, self._end(entry.value))
            if isinstance(node, cst.Name | cst.BaseExpression) and (line := self._line(node)) is not None:
                return self._line_added(line, key, value)
        raise CannotFix("what stands there is no entry that another can be put behind")

    def _at(self, place: Place) -> list[cst.CSTNode]:
        """Nodes that start there, the innermost last in the source order of the tree."""
        return [
            node
            for node, where in self._ranges.items()
            if (where.start.line, where.start.column + 1) == place and isinstance(node, cst.BaseExpression)
        ]

    def _end(self, node: cst.CSTNode) -> Place:
        end = self._ranges[node].end
        return end.line, end.column + 1

    def _replaced(self, old: cst.CSTNode, new: cst.CSTNode, anchor: Place) -> Edited:
        made = self.module.deep_replace(old, new)
        if not isinstance(made, cst.Module):
            raise CannotFix("the change would replace the whole statement")
        return made.code, *anchor

    def _line(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The line `x = ...` or `x: T = ...` or `t["x"] = ...` whose value or last key the node is."""
        up = self._parents.get(node)
        while isinstance(up, cst.AssignTarget | cst.Subscript | cst.SubscriptElement | cst.Index):
            node, up = up, self._parents.get(up)
        line = self._parents.get(up) if isinstance(up, cst.Assign | cst.AnnAssign) else None
        return line if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None

    def _line_added(self, line: cst.SimpleStatementLine, key: str, value: str) -> Edited:
        block = self._parents[line]
        if not isinstance(block, cst.IndentedBlock | cst.Module):
            raise CannotFix("the assignment shares its line with others")
        new = line.with_changes(
            body=[_like(line.body[0], key, value)],
            leading_lines=[],
            trailing_whitespace=cst.TrailingWhitespace(),
        )
        index = list(block.body).index(line)
        body = [*block.body[: index + 1], new, *block.body[index + 1 :]]
        return self._replaced(block, block.with_changes(body=body), self._end(line))


def _requoted(node: cst.SimpleString, new: str) -> str:
    if "b" in node.prefix:
        raise CannotFix("the key is bytes")
    return f"{node.prefix}{node.quote}{new}{node.quote}"


def _like(assignment: cst.BaseSmallStatement, key: str, value: str) -> cst.BaseSmallStatement:
    """The same kind of assignment for another key, with a string for its value."""
    string = cst.SimpleString('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"')
    if isinstance(assignment, cst.AnnAssign) and isinstance(assignment.target, cst.Name):
        return assignment.with_changes(
            target=cst.Name(key), annotation=cst.Annotation(cst.Name("str")), value=string
        )
    if isinstance(assignment, cst.Assign) and len(assignment.targets) == 1:
        first = assignment.targets[0]
        if isinstance(first.target, cst.Name):
            return assignment.with_changes(targets=[first.with_changes(target=cst.Name(key))], value=string)
        if isinstance(first.target, cst.Subscript) and len(first.target.slice) == 1:
            element = first.target.slice[0]
            if isinstance(element.slice, cst.Index) and isinstance(element.slice.value, cst.SimpleString):
                name = element.slice.value.with_changes(value=_requoted(element.slice.value, key))
                index = element.slice.with_changes(value=name)
                target = first.target.with_changes(slice=[element.with_changes(slice=index)])
                return assignment.with_changes(targets=[first.with_changes(target=target)], value=string)
    raise CannotFix("the assignment has no single name or key")


CHANGES: dict[str, Callable[..., Edited]] = {"rename": Tree.rename, "add": Tree.add}
